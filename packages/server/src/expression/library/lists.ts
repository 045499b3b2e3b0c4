import { type Handler, namespaceOf, type Overload, overloadsOf } from '../cel/check/functions.ts'
import { add, compare } from '../cel/evaluate/arithmetic.ts'
import { sameValue } from '../cel/evaluate/equality.ts'
import { ValueSet } from '../cel/evaluate/value-set.ts'
import { Duration, EvaluationFailure, noSuchOverload, typeOf, Uint } from '../cel/evaluate/values.ts'

/** Kubernetes' list library, and CEL's extensions for lists and sets. */
export function listFunctions(): Overload[] {
  return [
    ...overloadsOf({
      ...forEach(comparable, (type) => `list<${type}>.isSorted(): bool`, isSorted),
      ...forEach(
        comparable,
        (type) => `list<${type}>.max(): ${type}`,
        (list: List) => extreme(list, 'max', 1),
      ),
      ...forEach(
        comparable,
        (type) => `list<${type}>.min(): ${type}`,
        (list: List) => extreme(list, 'min', -1),
      ),
      ...Object.fromEntries(
        Object.entries(zeros).map(([type, zero]) => [
          `list<${type}>.sum(): ${type}`,
          (list: List) => list.reduce((total, item) => add(total, item), list.length === 0 ? zero : zeroLike(list[0])),
        ]),
      ),
      'list<A>.indexOf(A): int': (list: List, wanted: unknown) =>
        BigInt(list.findIndex((item) => sameValue(item, wanted))),
      'list<A>.lastIndexOf(A): int': (list: List, wanted: unknown) =>
        BigInt(list.findLastIndex((item) => sameValue(item, wanted))),
      'list<T>.slice(int, int): list<T>': slice,
      'list<list<T>>.flatten(): list<T>': (list: List) => list.flat(1),
      'list<dyn>.flatten(int): list<dyn>': (list: List, depth: bigint) => {
        if (depth < 0n) throw new EvaluationFailure('level must be non-negative')
        return list.flat(Number(depth))
      },
      ...forEach(
        comparable,
        (type) => `list<${type}>.sort(): list<${type}>`,
        (list: List) => sortBy(list, list),
      ),
      ...forEach(comparable, (type) => `list<T>.@sortByAssociatedKeys(list<${type}>): list<T>`, sortBy),
      'list<T>.reverse(): list<T>': (list: List) => list.toReversed(),
      'list<T>.distinct(): list<T>': distinct,
    }),
    ...namespaceOf('lists', { 'range(int): list<int>': range }),
    ...namespaceOf('sets', {
      'contains(list<T>, list<T>): bool': containsAll,
      'equivalent(list<T>, list<T>): bool': (a: List, b: List) => containsAll(a, b) && containsAll(b, a),
      'intersects(list<T>, list<T>): bool': intersects,
    }),
  ]
}

type List = readonly unknown[]

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes']

const zeros: Readonly<Record<string, unknown>> = { int: 0n, uint: new Uint(0n), double: 0, duration: new Duration(0n) }

// The zero of the sum has the type of the first item. An empty list doesn't show its item type, so its sum is an int.
function zeroLike(item: unknown): unknown {
  return zeros[typeOf(item).kind] ?? refuse()
}

function refuse(): never {
  throw noSuchOverload()
}

function forEach(types: readonly string[], signature: (type: string) => string, call: Handler) {
  return Object.fromEntries(types.map((type) => [signature(type), call]))
}

function isSorted(list: List): boolean {
  return list.every((item, at) => at === 0 || !(compare(list[at - 1], item) > 0))
}

function extreme(list: List, name: string, sign: 1 | -1): unknown {
  if (list.length === 0) throw new EvaluationFailure(`${name} called on empty list`)
  return list.reduce((best, item) => (compare(item, best) * sign > 0 ? item : best))
}

function slice(list: List, start: bigint, end: bigint): List {
  if (start < 0n || end < 0n)
    throw new EvaluationFailure(`cannot slice(${start}, ${end}), negative indexes not supported`)
  if (start > end)
    throw new EvaluationFailure(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`)
  if (end > list.length) throw new EvaluationFailure(`cannot slice(${start}, ${end}), list is length ${list.length}`)
  return list.slice(Number(start), Number(end))
}

function sortBy(list: List, keys: List): List {
  if (list.length !== keys.length) throw new EvaluationFailure('keys and list must be of equal length')
  const kinds = new Set(keys.map((key) => typeOf(key).kind))
  if (kinds.size > 1) throw new EvaluationFailure('list elements must have the same type')
  if (!comparable.includes([...kinds][0] ?? 'int')) throw new EvaluationFailure('list elements must be comparable')
  const order = keys.map((_, at) => at).sort((a, b) => compare(keys[a], keys[b]))
  return order.map((at) => list[at])
}

function range(size: bigint): bigint[] {
  if (size < 0n) return []
  if (size > 1_000_000n) throw new EvaluationFailure(`lists.range: ${size} is too many`)
  return Array.from({ length: Number(size) }, (_, at) => BigInt(at))
}

function distinct(list: List): List {
  const seen = new ValueSet()
  return list.filter((item) => seen.add(item))
}

function containsAll(list: List, part: List): boolean {
  const items = ValueSet.of(list)
  return part.every((item) => items.has(item))
}

function intersects(a: List, b: List): boolean {
  const items = ValueSet.of(b)
  return a.some((item) => items.has(item))
}
