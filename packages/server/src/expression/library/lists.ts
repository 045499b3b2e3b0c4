import { FunctionFailure, type FunctionTable, type Int } from './function-table.ts'

type Scalar = string | number | bigint | boolean | Date | { valueOf(): number }

/** Kubernetes' functions on lists, and CEL's own extension. */
export const listFunctions: FunctionTable = {
  'list.isSorted(): bool': (list: readonly Scalar[]) => list.every((item, at) => at === 0 || !(list[at - 1]! > item)),
  'list.sum(): dyn': sum,
  'list.min(): dyn': (list: readonly Scalar[]) => extreme(list, 'min', (a, b) => a < b),
  'list.max(): dyn': (list: readonly Scalar[]) => extreme(list, 'max', (a, b) => a > b),
  'list.indexOf(dyn): int': (list: readonly unknown[], wanted: unknown) =>
    BigInt(list.findIndex((item) => sameScalar(item, wanted))),
  'list.lastIndexOf(dyn): int': (list: readonly unknown[], wanted: unknown) =>
    BigInt(list.findLastIndex((item) => sameScalar(item, wanted))),
  'list.distinct(): list': (list: readonly unknown[]) => [
    ...new Map(list.map((item) => [scalarKey(item), item])).values(),
  ],
  'list.reverse(): list': (list: readonly unknown[]) => list.toReversed(),
  'list.slice(int, int): list': slice,
  'list.flatten(): list': (list: readonly unknown[]) => list.flat(1),
  'list.flatten(int): list': (list: readonly unknown[], depth: Int) => list.flat(Number(depth)),
  'list.sort(): list': (list: readonly Scalar[]) => list.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
}

/** `lists.range(3)` */
export const listsNamespace: FunctionTable = {
  'range(int): list<int>': (size: Int) => {
    if (size > 100_000n) throw new FunctionFailure(`lists.range: ${size} is too many`)
    return Array.from({ length: Number(size) }, (_, at) => BigInt(at))
  },
}

/** `sets.contains([1, 2], [1])` and its siblings. */
export const setsNamespace: FunctionTable = {
  'contains(list, list): bool': (list: readonly unknown[], part: readonly unknown[]) => containsAll(list, part),
  'equivalent(list, list): bool': (a: readonly unknown[], b: readonly unknown[]) =>
    containsAll(a, b) && containsAll(b, a),
  'intersects(list, list): bool': (a: readonly unknown[], b: readonly unknown[]) => {
    const keys = new Set(a.map(scalarKey))
    return b.some((item) => keys.has(scalarKey(item)))
  },
}

function containsAll(list: readonly unknown[], part: readonly unknown[]): boolean {
  const keys = new Set(list.map(scalarKey))
  return part.every((item) => keys.has(scalarKey(item)))
}

function sum(list: readonly Scalar[]): unknown {
  if (list.length === 0) return 0n
  if (typeof list[0] === 'bigint') return (list as bigint[]).reduce((total, item) => total + item, 0n)
  if (typeof list[0] === 'number') return (list as number[]).reduce((total, item) => total + item, 0)
  throw new FunctionFailure('no such overload: sum')
}

function extreme(list: readonly Scalar[], name: string, wins: (a: Scalar, b: Scalar) => boolean): Scalar {
  if (list.length === 0) throw new FunctionFailure(`${name} called on empty list`)
  return list.reduce((best, item) => (wins(item, best) ? item : best))
}

function slice(list: readonly unknown[], start: Int, end: Int): unknown[] {
  if (start < 0n || end < start || end > list.length) {
    throw new FunctionFailure(`cannot slice(${start}, ${end}), list is length ${list.length}`)
  }
  return list.slice(Number(start), Number(end))
}

function sameScalar(a: unknown, b: unknown): boolean {
  return a === b || scalarKey(a) === scalarKey(b)
}

// Equal values have equal keys: whole numbers equal doubles of the same value.
function scalarKey(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'number') return `n${Number(value)}`
  if (typeof value === 'string') return `s${value}`
  if (Array.isArray(value)) return `l${JSON.stringify(value.map(scalarKey))}`
  if (value instanceof Map) {
    return `m${JSON.stringify([...value].map(([key, item]) => [scalarKey(key), scalarKey(item)]).sort())}`
  }
  return `o${String(value)}`
}
