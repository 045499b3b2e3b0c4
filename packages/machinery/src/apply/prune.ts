import type { JsonObject } from '../json/index.ts'
import type { TypeShape } from '../schema/index.ts'
import { difference, emptyFieldSet, type FieldSet, intersection, isEmptySet, union } from './field-set.ts'
import type { ManagedSet, Managers } from './managers.ts'
import { removeItems } from './remove-items.ts'
import { withNamedFields } from './schema-changes.ts'
import { toFieldSet } from './to-field-set.ts'
import { type KindVersions, toVersion, type VersionedObject } from './versions.ts'

/**
 * Removes from a merged object the fields that the manager applied last time, does not apply now, and that no other manager
 * owns. `managers` already contains the set of the new configuration.
 */
export function prune(
  versions: KindVersions,
  merged: VersionedObject,
  managers: Managers,
  apiVersion: string,
  last: ManagedSet | undefined,
): VersionedObject {
  if (last === undefined || isEmptySet(last.set)) return merged
  if (isCovered(last, managers)) return merged
  const converted = toVersion(versions, merged, last.apiVersion)
  const shape = versions.shape(last.apiVersion)
  if (converted === undefined || shape === undefined) return merged
  const lastSet = withNamedFields(shape, last.set)
  // Remove everything from the last apply, then add back what other managers own and what was removed only with it.
  const stripped = { ...converted, value: remove(shape, converted.value, lastSet) }
  const restored = addBackOwned(versions, converted, stripped, managers)
  const pruned = addBackDangling(versions, shape, converted, restored, lastSet)
  return toVersion(versions, pruned, apiVersion) ?? merged
}

/** Returns true when all fields of the last apply have an owner in the same version: then there is nothing to remove. */
function isCovered(last: ManagedSet, managers: Managers): boolean {
  let rest = last.set
  for (const managed of managers.values()) {
    if (managed.apiVersion === last.apiVersion) rest = difference(rest, managed.set)
    if (isEmptySet(rest)) return true
  }
  return false
}

/** Adds back removed fields that a manager owns, starting with the version in which they were removed. */
function addBackOwned(
  versions: KindVersions,
  merged: VersionedObject,
  stripped: VersionedObject,
  managers: Managers,
): VersionedObject {
  const owned = new Map<string, FieldSet>()
  for (const { apiVersion, set } of managers.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? emptyFieldSet, set))
  }
  const first = stripped.apiVersion
  const order = [...owned.keys()].sort((a, b) => Number(b === first) - Number(a === first))
  let whole = merged
  let rest = stripped
  for (const apiVersion of order) {
    const shape = versions.shape(apiVersion)
    const wholeThere = shape && toVersion(versions, whole, apiVersion)
    const restThere = shape && toVersion(versions, rest, apiVersion)
    if (shape === undefined || wholeThere === undefined || restThere === undefined) continue
    whole = wholeThere
    rest = { apiVersion, value: withOwned(shape, wholeThere.value, restThere.value, owned.get(apiVersion)!) }
  }
  return rest
}

function withOwned(shape: TypeShape, whole: JsonObject, rest: JsonObject, owned: FieldSet): JsonObject {
  const all = withNamedFields(shape, toFieldSet(shape, whole))
  const kept = union(withNamedFields(shape, toFieldSet(shape, rest)), withNamedFields(shape, owned))
  return remove(shape, whole, difference(all, kept))
}

/** Adds back fields that were removed only with their container and that the manager never applied. */
function addBackDangling(
  versions: KindVersions,
  shape: TypeShape,
  merged: VersionedObject,
  pruned: VersionedObject,
  last: FieldSet,
): VersionedObject {
  const there = toVersion(versions, pruned, merged.apiVersion)
  if (there === undefined) return merged
  const kept = withNamedFields(shape, toFieldSet(shape, there.value))
  const all = withNamedFields(shape, toFieldSet(shape, merged.value))
  return { ...merged, value: remove(shape, merged.value, intersection(difference(all, kept), last)) }
}

/** Removes a set of fields from an object; the result is {} instead of null when nothing is left. */
function remove(shape: TypeShape, object: JsonObject, set: FieldSet): JsonObject {
  return (removeItems(shape, object, set) ?? {}) as JsonObject
}
