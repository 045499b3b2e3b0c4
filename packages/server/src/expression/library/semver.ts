import { type Overload, overloadsOf } from '../cel/check/functions.ts'
import { libraryTypes } from '../cel/check/type-text.ts'
import { EvaluationFailure, LibraryValue } from '../cel/evaluate/values.ts'

/** Kubernetes' semver library: `semver("1.2.3").isLessThan(semver("2.0.0"))`. */
export function semverFunctions(): Overload[] {
  return overloadsOf({
    'semver(string): Semver': (text: string) => require(text, false),
    'semver(string, bool): Semver': require,
    'isSemver(string): bool': (text: string) => typeof semverFromText(text, false) !== 'string',
    'isSemver(string, bool): bool': (text: string, normalize: boolean) =>
      typeof semverFromText(text, normalize) !== 'string',
    'Semver.major(): int': (version: Semver) => version.numbers[0],
    'Semver.minor(): int': (version: Semver) => version.numbers[1],
    'Semver.patch(): int': (version: Semver) => version.numbers[2],
    'Semver.isGreaterThan(Semver): bool': (a: Semver, b: Semver) => compare(a, b) > 0,
    'Semver.isLessThan(Semver): bool': (a: Semver, b: Semver) => compare(a, b) < 0,
    'Semver.compareTo(Semver): int': (a: Semver, b: Semver) => BigInt(compare(a, b)),
  })
}

class Semver extends LibraryValue {
  readonly type = libraryTypes.Semver
  readonly numbers: readonly [bigint, bigint, bigint]
  readonly pre: readonly string[]

  constructor(numbers: readonly [bigint, bigint, bigint], pre: readonly string[]) {
    super()
    this.numbers = numbers
    this.pre = pre
  }

  override equals(other: Semver): boolean {
    return compare(this, other) === 0
  }
}

function require(text: string, normalize: boolean): Semver {
  const version = semverFromText(text, normalize)
  if (typeof version === 'string') throw new EvaluationFailure(version)
  return version
}

/** Parses a version; returns the error text of Kubernetes if it is malformed. */
function semverFromText(text: string, normalize: boolean): Semver | string {
  const whole = normalize ? normalized(text) : text
  if (whole === '') return 'Version string empty'
  const [, major, minor, rest] = /^([^.]*)\.([^.]*)\.(.*)$/s.exec(whole) ?? []
  if (rest === undefined) return 'No Major.Minor.Patch elements found'
  const [, patch = '', pre, build] = /^([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(rest) ?? []
  const numbers = { major: major!, minor: minor!, patch }
  const releases = pre?.split('.') ?? []
  const wrong = [
    ...Object.entries(numbers).map(([name, number]) => wrongNumber(name, number)),
    ...releases.map(wrongRelease),
    ...(build?.split('.') ?? []).map(wrongBuild),
  ].find((problem) => problem !== undefined)
  return wrong ?? new Semver([BigInt(major!), BigInt(minor!), BigInt(patch)], releases)
}

function wrongNumber(name: string, number: string): string | undefined {
  if (!/^\d+$/.test(number)) return `Invalid character(s) found in ${name} number ${JSON.stringify(number)}`
  const called = `${name[0]!.toUpperCase()}${name.slice(1)}`
  return /^0\d/.test(number) ? `${called} number must not contain leading zeroes ${JSON.stringify(number)}` : undefined
}

function wrongRelease(part: string): string | undefined {
  if (part === '') return 'Prerelease is empty'
  if (/^0\d+$/.test(part)) {
    return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`
  }
  return /^[0-9A-Za-z-]+$/.test(part) ? undefined : `Invalid character(s) found in prerelease ${JSON.stringify(part)}`
}

function wrongBuild(part: string): string | undefined {
  if (part === '') return 'Build meta data is empty'
  return /^[0-9A-Za-z-]+$/.test(part)
    ? undefined
    : `Invalid character(s) found in build meta data ${JSON.stringify(part)}`
}

// Removes a leading v and leading zeros; missing numbers become zero.
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
