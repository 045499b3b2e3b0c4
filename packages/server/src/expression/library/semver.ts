import type { Environment } from '@marcbachmann/cel-js'
import { FunctionFailure, registerFunctions } from './function-table.ts'

/** `semver("1.2.3").isLessThan(semver("2.0.0"))` and its siblings. */
export function registerSemver(environment: Environment): void {
  environment.registerType('Semver', { ctor: Semver, fields: {} } as never)
  environment.registerOperator('Semver == Semver', (a: Semver, b: Semver) => compare(a, b) === 0)
  registerFunctions(environment, {
    'semver(string): Semver': (text: string) => require(text, false),
    'semver(string, bool): Semver': require,
    'isSemver(string): bool': (text: string) => semverFromText(text, false) !== undefined,
    'isSemver(string, bool): bool': (text: string, normalize: boolean) => semverFromText(text, normalize) !== undefined,
    'Semver.major(): int': (version: Semver) => version.numbers[0],
    'Semver.minor(): int': (version: Semver) => version.numbers[1],
    'Semver.patch(): int': (version: Semver) => version.numbers[2],
    'Semver.isGreaterThan(Semver): bool': (a: Semver, b: Semver) => compare(a, b) > 0,
    'Semver.isLessThan(Semver): bool': (a: Semver, b: Semver) => compare(a, b) < 0,
    'Semver.compareTo(Semver): int': (a: Semver, b: Semver) => BigInt(compare(a, b)),
  })
}

class Semver {
  readonly numbers: readonly [bigint, bigint, bigint]
  readonly pre: readonly string[]

  constructor(numbers: readonly [bigint, bigint, bigint], pre: readonly string[]) {
    this.numbers = numbers
    this.pre = pre
  }
}

const strict =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/

function require(text: string, normalize: boolean): Semver {
  const version = semverFromText(text, normalize)
  if (version === undefined) throw new FunctionFailure(`semver parse error: ${JSON.stringify(text)} is no version`)
  return version
}

function semverFromText(text: string, normalize: boolean): Semver | undefined {
  const match = strict.exec(normalize ? normalized(text) : text)
  if (match === null) return undefined
  return new Semver([BigInt(match[1]!), BigInt(match[2]!), BigInt(match[3]!)], match[4]?.split('.') ?? [])
}

// A leading v goes, missing numbers are zero, and leading zeros are dropped.
function normalized(text: string): string {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?([-+].*)?$/.exec(text)
  if (match === null) return text
  const numbers = [match[1], match[2], match[3]].map((part) => BigInt(part ?? 0))
  return `${numbers.join('.')}${match[4] ?? ''}`
}

function compare(a: Semver, b: Semver): number {
  for (const at of [0, 1, 2] as const) {
    if (a.numbers[at] !== b.numbers[at]) return a.numbers[at] < b.numbers[at] ? -1 : 1
  }
  if (a.pre.length === 0 || b.pre.length === 0) return Math.sign(b.pre.length - a.pre.length)
  for (let at = 0; at < Math.min(a.pre.length, b.pre.length); at++) {
    const order = comparePart(a.pre[at]!, b.pre[at]!)
    if (order !== 0) return order
  }
  return Math.sign(a.pre.length - b.pre.length)
}

function comparePart(a: string, b: string): number {
  const numeric = [a, b].map((part) => /^\d+$/.test(part))
  if (numeric[0] && numeric[1]) return Math.sign(Number(a) - Number(b))
  if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1
  return a === b ? 0 : a < b ? -1 : 1
}
