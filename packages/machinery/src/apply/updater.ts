import type { Steps } from '../base/index.ts'
import { type JsonObject, jsonEquals } from '../json/index.ts'
import type { TypeShape } from '../object/index.ts'
import { type Comparison, compareTyped, excludeFields, isSame } from './compare.ts'
import {
  difference,
  emptyFieldSet,
  type FieldSet,
  intersection,
  isEmptySet,
  recursiveDifference,
  union,
} from './field-set.ts'
import { ApplyConflicts, type ManagedSet, type Managers } from './managers.ts'
import { mergeTyped } from './merge.ts'
import { prune } from './prune.ts'
import { reconcileWithSchema } from './schema-changes.ts'
import { toFieldSet } from './to-field-set.ts'
import { type KindVersions, toVersion, type VersionedObject } from './versions.ts'

/** What a write is about. */
export interface WriteContext {
  readonly versions: KindVersions
  /** Fields that the written endpoint does not write, by version: nobody comes to own them, or anything inside. */
  readonly resetFields?: ReadonlyMap<string, FieldSet>
}

/** Who owns what after an update: the writer owns what it changed, others lose that. */
export function* updateManagers(
  context: WriteContext,
  live: VersionedObject,
  next: VersionedObject,
  managers: Managers,
  manager: string,
): Steps<Managers> {
  const reconciled = reconcileManagers(context.versions, managers)
  yield
  const { managers: others, comparison } = yield* withoutChanged(context, live, next, reconciled, manager, true)
  yield
  const previous = others.get(manager)?.set ?? emptyFieldSet
  const changed = union(comparison.modified, comparison.added)
  const owned = withoutReset(context, next.apiVersion, union(difference(previous, comparison.removed), changed))
  return withManager(others, manager, { set: owned, apiVersion: next.apiVersion, applied: false })
}

/** The outcome of an apply. */
export interface ApplyOutcome {
  /** The merged object; undefined when it is the live one, unchanged. */
  readonly object: JsonObject | undefined
  readonly managers: Managers
}

/**
 * Lays a configuration over an object: sets what it has, removes what the manager applied before and leaves out now
 * and nobody else owns. Throws `ApplyConflicts` when it would change what others own, unless it is forced to.
 */
export function* applyConfiguration(
  context: WriteContext,
  live: VersionedObject,
  config: VersionedObject,
  managers: Managers,
  manager: string,
  force: boolean,
): Steps<ApplyOutcome> {
  const reconciled = reconcileManagers(context.versions, managers)
  const shape = shapeOf(context.versions, config.apiVersion)
  yield
  const merged = { ...config, value: mergeTyped(shape, live.value, config.value) as JsonObject }
  yield
  const set = withoutReset(context, config.apiVersion, toFieldSet(shape, config.value))
  yield
  const last = reconciled.get(manager)
  const claimed = new Map(reconciled).set(manager, { set, apiVersion: config.apiVersion, applied: true })
  const pruned = prune(context.versions, merged, claimed, config.apiVersion, last)
  yield
  const { managers: owners } = yield* withoutChanged(context, live, pruned, claimed, manager, force)
  yield
  return {
    object: jsonEquals(live.value, pruned.value) ? undefined : pruned.value,
    managers: owners,
  }
}

/** Takes from every manager but the writer what the writer changed or removed. */
function* withoutChanged(
  context: WriteContext,
  live: VersionedObject,
  next: VersionedObject,
  managers: Managers,
  writer: string,
  force: boolean,
): Steps<{ readonly managers: Managers; readonly comparison: Comparison }> {
  const changes = new VersionedChanges(context, live, next)
  const conflicts = new Map<string, FieldSet>()
  const result = new Map<string, ManagedSet>()
  for (const [manager, managed] of managers) {
    const change = manager === writer ? unchanged : changes.in(managed.apiVersion)
    // Whoever used a version that is gone owns nothing that could still be named.
    if (change === undefined) continue
    yield
    if (!force) {
      const conflict = intersection(managed.set, change.contested)
      if (!isEmptySet(conflict)) conflicts.set(manager, conflict)
    }
    const rest = difference(difference(managed.set, change.changed), change.removed)
    if (!isEmptySet(rest)) result.set(manager, rest === managed.set ? managed : { ...managed, set: rest })
  }
  if (conflicts.size > 0) throw new ApplyConflicts(conflicts)
  return { managers: result, comparison: changes.comparison }
}

interface Changes {
  readonly changed: FieldSet
  /** What others must not own: what changed, and what a leaf took the place of. */
  readonly contested: FieldSet
  readonly removed: FieldSet
}

const unchanged: Changes = { changed: emptyFieldSet, contested: emptyFieldSet, removed: emptyFieldSet }

/** What a write changes, in each version that somebody owns fields in; compared once for each. */
class VersionedChanges {
  readonly comparison: Comparison
  readonly #context: WriteContext
  readonly #live: VersionedObject
  readonly #next: VersionedObject
  readonly #byVersion = new Map<string, Changes | undefined>()

  constructor(context: WriteContext, live: VersionedObject, next: VersionedObject) {
    this.#context = context
    this.#live = live
    this.#next = next
    const shape = shapeOf(context.versions, next.apiVersion)
    const compared = compareTyped(shape, live.value, next.value)
    this.comparison = excludeFields(compared, context.resetFields?.get(next.apiVersion))
    this.#byVersion.set(next.apiVersion, toChanges(this.comparison))
  }

  in(apiVersion: string): Changes | undefined {
    if (!this.#byVersion.has(apiVersion)) this.#byVersion.set(apiVersion, this.#compareIn(apiVersion))
    return this.#byVersion.get(apiVersion)
  }

  #compareIn(apiVersion: string): Changes | undefined {
    const { versions, resetFields } = this.#context
    const shape = versions.shape(apiVersion)
    const live = shape && toVersion(versions, this.#live, apiVersion)
    const next = shape && toVersion(versions, this.#next, apiVersion)
    if (live === undefined || next === undefined) return undefined
    return toChanges(excludeFields(compareTyped(shape!, live.value, next.value), resetFields?.get(apiVersion)))
  }
}

function toChanges(comparison: Comparison): Changes {
  if (isSame(comparison)) return unchanged
  const changed = union(comparison.modified, comparison.added)
  return { changed, contested: union(changed, comparison.displaced), removed: comparison.removed }
}

/** Brings everybody's fields in line with what the schemas say now, and forgets versions that are gone. */
function reconcileManagers(versions: KindVersions, managers: Managers): Managers {
  const result = new Map<string, ManagedSet>()
  for (const [manager, managed] of managers) {
    const shape = versions.shape(managed.apiVersion)
    if (shape === undefined) continue
    const set = reconcileWithSchema(shape, managed.set)
    result.set(manager, set === managed.set ? managed : { ...managed, set })
  }
  return result
}

function withoutReset(context: WriteContext, apiVersion: string, set: FieldSet): FieldSet {
  const reset = context.resetFields?.get(apiVersion)
  return reset === undefined ? set : recursiveDifference(set, reset)
}

function withManager(managers: Managers, manager: string, managed: ManagedSet): Managers {
  const result = new Map(managers)
  if (isEmptySet(managed.set)) result.delete(manager)
  else result.set(manager, managed)
  return result
}

function shapeOf(versions: KindVersions, apiVersion: string): TypeShape {
  const shape = versions.shape(apiVersion)
  if (shape === undefined) throw new Error(`cannot track fields of ${apiVersion}: that version is not served`)
  return shape
}
