import { isUnknown, type Unknown, unknown } from '@hykube/tfplugin/value'
import { isMapping, keysOf, memberOf } from './describe.ts'
import { callLibrary } from './library-call.ts'
import { compareNumbers, isNumber } from './numbers.ts'
import { type Run, withoutType } from './run.ts'

/** Compares two values; unknown if the result depends on an unknown part. Values of different types are unequal. */
export function equals(first: unknown, second: unknown, run: Run): boolean | Unknown {
  const a = withoutType(first)
  const b = withoutType(second)
  run.spend(1)
  if (isUnknown(a) || isUnknown(b)) return unknown
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a)) return Array.isArray(b) && sameLists(a, b, run)
  if (isMapping(a)) return isMapping(b) && sameMappings(a, b, run)
  if (a.constructor !== b.constructor) return false
  return callLibrary('==', [a, b], run) as boolean
}

/** The operator `in`: an element of a list, or a key of a map. Undefined if the collection is neither. */
export function isIn(element: unknown, collection: unknown, run: Run): boolean | Unknown | undefined {
  const range = withoutType(collection)
  if (isUnknown(range) || isUnknown(element)) return unknown
  if (Array.isArray(range)) return some(range, (item) => equals(element, item, run))
  if (!isMapping(range)) return undefined
  return typeof withoutType(element) === 'string' && !(range instanceof Map)
    ? memberOf(range, withoutType(element)) !== undefined
    : some(keysOf(range), (key) => equals(element, key, run))
}

function sameLists(a: readonly unknown[], b: readonly unknown[], run: Run): boolean | Unknown {
  return a.length === b.length && every(a, (item, index) => equals(item, b[index], run))
}

type Mapping = Parameters<typeof keysOf>[0]

function sameMappings(a: Mapping, b: Mapping, run: Run): boolean | Unknown {
  const keys = keysOf(a)
  if (keys.length !== keysOf(b).length) return false
  return every(keys, (key) => {
    const other = memberOf(b, key)
    return other === undefined ? false : equals(memberOf(a, key), other, run)
  })
}

function every<T>(items: readonly T[], test: (item: T, index: number) => boolean | Unknown): boolean | Unknown {
  let result: boolean | Unknown = true
  for (const [index, item] of items.entries()) {
    const same = test(item, index)
    if (same === false) return false
    if (same !== true) result = same
  }
  return result
}

function some(items: readonly unknown[], test: (item: unknown) => boolean | Unknown): boolean | Unknown {
  let result: boolean | Unknown = false
  for (const item of items) {
    const same = test(item)
    if (same === true) return true
    if (same !== false) result = same
  }
  return result
}
