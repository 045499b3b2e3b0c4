import type { Steps } from '../base/index.ts'
import { type JsonObject, jsonEquals } from '../json/index.ts'
import type { TypeShape } from '../schema/index.ts'
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

/** The kind and endpoint of a write. */
export interface WriteContext {
  readonly versions: KindVersions
  /** The fields that the endpoint does not write, by version: a write through it never owns them or anything below. */
  readonly resetFields?: ReadonlyMap<string, FieldSet>
}

/** Computes the owners after an update: the writer owns the fields that it changed, and all other managers lose them. */
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
 * Applies a configuration: sets its fields, and removes fields that the manager applied before, omits now and that have no
 * other owner. Throws `ApplyConflicts` when it would change fields of other managers, unless `force` is set.
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
  // The manager's new set is entered before pruning, so that its own current fields are not removed.
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

/** Removes the fields that the writer changed or removed from the sets of all other managers. */
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
    // A version that is no longer served: its fields cannot be mapped to the current ones, so the entry is dropped.
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
  /** The fields that cause a conflict when others own them: changed ones, and those whose container became a leaf. */
  readonly contested: FieldSet
  readonly removed: FieldSet
}

const unchanged: Changes = { changed: emptyFieldSet, contested: emptyFieldSet, removed: emptyFieldSet }

/** The changes of a write, in every version in which managers own fields; computed once for each version. */
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

/** Adapts the sets of all managers to the current schemas, and drops entries of versions that are no longer served. */
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
