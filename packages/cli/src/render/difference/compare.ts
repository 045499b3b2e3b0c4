import type { ChangedSensitive, ValueChange } from '@hykube/machinery/plan-api'
import { align } from './align.ts'
import type { Difference, Structure, ValueAction } from './difference.ts'
import { childPaths, isAt, type ReplacePaths } from './replace-paths.ts'

/** Compares the values of a resource. */
export function compareResource(change: ValueChange): Structure {
  return structureOf(
    {
      before: change.before,
      after: change.after,
      unknown: change.after_unknown,
      beforeSensitive: change.before_sensitive,
      afterSensitive: change.after_sensitive,
      replace: change.replace_paths ?? [],
      changed: change.changed_sensitive ?? [],
    },
    true,
  )
}

/** Compares two JSON documents that are the values of strings. */
export function compareDocuments(before: unknown, after: unknown): Difference {
  return compare({ before, after, replace: [], changed: [], isDocument: true }, false)
}

interface Sides {
  readonly before: unknown
  readonly after: unknown
  readonly unknown?: unknown
  readonly beforeSensitive?: unknown
  readonly afterSensitive?: unknown
  readonly replace: ReplacePaths
  /** The paths, relative to here, of sensitive values that differ. */
  readonly changed: readonly ChangedSensitive[]
  /** True inside of a value that is created or deleted as a whole. */
  readonly isOneSided?: boolean
  /** True in a JSON document, where lists of equal length are compared by index. */
  readonly isDocument?: boolean | undefined
}

// `named`: keys at this place are attribute names, and lists of objects are blocks.
function compare(sides: Sides, named: boolean): Difference {
  const { before, after, unknown } = sides
  const replaces = isAt(sides.replace)
  if (sides.beforeSensitive === true || sides.afterSensitive === true)
    return { kind: 'sensitive', action: sensitiveAction(sides), replaces }
  if (unknown === true) return unknownOf(sides, replaces)
  if (isKind(before, Array.isArray) && isKind(after, Array.isArray) && !isNothing(sides)) return sequenceOf(sides)
  if (isKind(before, isObject) && isKind(after, isObject) && !isNothing(sides))
    return isStructure(sides) || named ? structureOf(sides, false) : mappingOf(sides)
  if (isCollection(before) || isCollection(after)) return typeChangeOf(sides, replaces)
  return { kind: 'primitive', action: actionOf(before, after), replaces, before, after }
}

function unknownOf({ before }: Sides, replaces: boolean): Difference {
  if (before === undefined || before === null) return { kind: 'unknown', action: 'create', replaces, before: undefined }
  const goes = compare({ before, after: undefined, replace: [], changed: [] }, false)
  return { kind: 'unknown', action: 'update', replaces, before: goes }
}

function typeChangeOf({ before, after }: Sides, replaces: boolean): Difference {
  const alone = (value: unknown) => compare({ before: value, after: value, replace: [], changed: [] }, false)
  return { kind: 'type-change', action: 'update', replaces, before: alone(before), after: alone(after) }
}

function sequenceOf(sides: Sides): Difference {
  const [before, after] = [listOf(sides.before), listOf(sides.after)]
  const keyOf = (list: readonly unknown[], mask: unknown) =>
    list.map((value, index) => (at(mask, index) === true ? `unknown ${index}` : JSON.stringify(value)))
  const isByPlace = sides.isDocument === true && before.length === after.length
  const pairs = isByPlace
    ? before.map((_, index) => [index, index] as const)
    : align(
        keyOf(before, undefined),
        keyOf(after, sides.unknown),
        (left, right) => isObject(before[left]) && isObject(after[right]),
      )
  const elements = pairs.map(([left, right]) => compare(pairOf(sides, left, right), false))
  return { kind: 'sequence', action: wholeAction(sides, elements), replaces: isAt(sides.replace), elements }
}

function mappingOf(sides: Sides): Difference {
  const elements = new Map(keysOf(sides).map((key) => [key, compare(childOf(sides, key), false)]))
  return {
    kind: 'mapping',
    action: wholeAction(sides, [...elements.values()]),
    replaces: isAt(sides.replace),
    elements,
  }
}

function structureOf(sides: Sides, isBlock: boolean): Structure {
  const attributes = new Map<string, Difference>()
  const blocks = new Map<string, readonly Difference[]>()
  for (const key of keysOf(sides)) {
    const child = childOf(sides, key)
    if (isNothing(child)) continue
    if (isBlock && isBlockList(child)) blocks.set(key, blocksOf(child))
    else if (!isBlock || !isEmptyList(child)) attributes.set(key, compare(child, false))
  }
  const parts = [...attributes.values(), ...[...blocks.values()].flat()]
  return {
    kind: 'structure',
    action: wholeAction(sides, parts),
    replaces: isAt(sides.replace),
    attributes,
    blocks,
  }
}

// Blocks are paired by index.
function blocksOf(sides: Sides): Structure[] {
  const length = Math.max(listOf(sides.before).length, listOf(sides.after).length)
  return Array.from({ length }, (_, index) => {
    const block = structureOf(pairOf(sides, index, index), true)
    return isAt(sides.replace) ? { ...block, replaces: true } : block
  })
}

// The API returns values without schema, so a list that contains only objects is taken for blocks. Attributes that are lists
// of objects are rare, and readable as blocks.
function isBlockList({ before, after, unknown, beforeSensitive, afterSensitive }: Sides): boolean {
  if (unknown === true || beforeSensitive === true || afterSensitive === true) return false
  const all = [...listOf(before), ...listOf(after)]
  return all.length > 0 && all.every(isObject) && isKind(before, Array.isArray) && isKind(after, Array.isArray)
}

// Absent on both sides: a block that is not used.
function isEmptyList({ before, after, unknown }: Sides): boolean {
  const empty = (value: unknown) => value == null || (Array.isArray(value) && value.length === 0)
  return unknown !== true && (Array.isArray(before) || Array.isArray(after)) && empty(before) && empty(after)
}

// The elements of a map have one type. With other or nested values it is taken for an object with attributes.
function isStructure({ before, after, unknown }: Sides): boolean {
  const values = [...Object.values(before ?? {}), ...Object.values(after ?? {})].filter((value) => value !== null)
  if (values.some(isCollection)) return true
  const types = new Set(values.map((value) => typeof value))
  return types.size > 1 || (types.size === 0 && isObject(unknown) && Object.keys(unknown).length > 1)
}

function isNothing(sides: Sides): boolean {
  const { before, after, unknown, beforeSensitive, afterSensitive, isOneSided } = sides
  if (before != null || after != null || unknown === true) return false
  if (beforeSensitive !== true && afterSensitive !== true) return true
  // In a created or deleted object, a sensitive value that does not differ was never set.
  return isOneSided === true && sensitiveAction(sides) === 'none'
}

// The values are unknown here. A value that is sensitive on one side only changes its sensitivity.
function sensitiveAction({ changed, before, after, beforeSensitive, afterSensitive, isOneSided }: Sides): ValueAction {
  const own = changed.find(({ path }) => path.length === 0)
  if (own !== undefined) return own.action
  const isMarked = beforeSensitive !== afterSensitive && (before != null || after != null)
  return isMarked && isOneSided !== true ? 'update' : 'none'
}

function wholeAction({ before, after }: Sides, parts: readonly Difference[]): ValueAction {
  if (before == null) return after == null && parts.every(({ action }) => action === 'none') ? 'none' : 'create'
  if (after == null) return 'delete'
  return parts.every(({ action }) => action === 'none') ? 'none' : 'update'
}

function actionOf(before: unknown, after: unknown): ValueAction {
  if (before == null) return after == null ? 'none' : 'create'
  if (after == null) return 'delete'
  return before === after ? 'none' : 'update'
}

function keysOf({ before, after, unknown, beforeSensitive, afterSensitive }: Sides): string[] {
  const masked = [unknown, beforeSensitive, afterSensitive].flatMap((mask) =>
    isObject(mask) ? Object.keys(mask).filter((key) => mask[key] === true) : [],
  )
  const told = [before, after].flatMap((value) => (isObject(value) ? Object.keys(value) : []))
  return [...new Set([...told, ...masked])].sort()
}

function childOf(sides: Sides, key: string): Sides {
  return {
    before: at(sides.before, key),
    after: at(sides.after, key),
    unknown: at(sides.unknown, key),
    beforeSensitive: at(sides.beforeSensitive, key),
    afterSensitive: at(sides.afterSensitive, key),
    replace: childPaths(sides.replace, key),
    changed: changedWithin(sides.changed, key),
    isOneSided: isOneSided(sides),
    isDocument: sides.isDocument,
  }
}

function pairOf(sides: Sides, left: number | undefined, right: number | undefined): Sides {
  return {
    before: at(sides.before, left),
    after: at(sides.after, right),
    unknown: at(sides.unknown, right),
    beforeSensitive: at(sides.beforeSensitive, left),
    afterSensitive: at(sides.afterSensitive, right),
    replace: right === undefined ? [] : childPaths(sides.replace, right),
    changed: changedWithin(sides.changed, right ?? left),
    isOneSided: isOneSided(sides),
    isDocument: sides.isDocument,
  }
}

function isOneSided({ before, after, isOneSided: outer }: Sides): boolean {
  return outer === true || (before == null) !== (after == null)
}

function changedWithin(changed: Sides['changed'], key: string | number | undefined): Sides['changed'] {
  return changed
    .filter(({ path }) => path[0] === key && path.length > 0)
    .map((each) => ({ ...each, path: each.path.slice(1) }))
}

function at(value: unknown, key: string | number | undefined): unknown {
  if (key === undefined || !isCollection(value)) return undefined
  return Object.hasOwn(value, key) ? (value as Record<string | number, unknown>)[key] : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isKind(value: unknown, check: (value: unknown) => boolean): boolean {
  return value == null || check(value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isCollection(value) && !Array.isArray(value)
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
