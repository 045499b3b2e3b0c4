import type { ManagedFieldsEntry } from '../object/index.ts'
import { difference, fieldSetOf, hasPath, isEmptySet } from './field-set.ts'
import { decodeManagedFields, encodeManagedFields, type Managed } from './managed-fields.ts'
import type { ManagedSet } from './managers.ts'
import { type FieldPath, fieldElement } from './path-element.ts'

/**
 * Where the number of replicas is, by apiVersion of the kind: undefined for a version without the scale subresource.
 * A version that is not in the table is not served.
 */
export type ReplicasPaths = ReadonlyMap<string, FieldPath | undefined>

/** Who owns the number of replicas, as managed fields of the Scale that stands for an object. */
export function managedFieldsOfScale(
  entries: readonly ManagedFieldsEntry[],
  paths: ReplicasPaths,
): ManagedFieldsEntry[] {
  const { managers, times } = decodeManagedFields(entries)
  const scale = new Map<string, ManagedSet>()
  for (const [manager, managed] of managers) {
    const path = paths.get(managed.apiVersion)
    if (path === undefined || !hasPath(managed.set, path)) continue
    scale.set(manager, { set: fieldSetOf(replicasInScale), apiVersion: scaleVersion, applied: managed.applied })
  }
  return encodeManagedFields({ managers: scale, times })
}

/**
 * The managed fields of an object after its Scale was written: who owned the replicas before and does not in the Scale
 * loses them, who owns them in the Scale now has them in the object too.
 */
export function managedFieldsFromScale(
  entries: readonly ManagedFieldsEntry[],
  scaleEntries: readonly ManagedFieldsEntry[],
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] {
  const parent = decodeManagedFields(entries)
  const scale = decodeManagedFields(scaleEntries)
  const claims = new Map(scale.managers)
  const managers = new Map<string, ManagedSet>()
  for (const [manager, managed] of parent.managers) {
    if (!paths.has(managed.apiVersion)) continue
    const path = paths.get(managed.apiVersion)
    if (path === undefined || !hasPath(managed.set, path) || claims.delete(manager)) {
      managers.set(manager, managed)
      continue
    }
    const set = difference(managed.set, fieldSetOf(path))
    if (!isEmptySet(set)) managers.set(manager, { ...managed, set })
  }
  const path = paths.get(apiVersion)
  for (const [manager, { set, applied }] of claims) {
    if (path === undefined || !hasPath(set, replicasInScale)) continue
    managers.set(manager, { set: fieldSetOf(path), apiVersion, applied })
  }
  return encodeManagedFields({ managers, times: timesOf(parent, scale) })
}

const scaleVersion = 'autoscaling/v1'
const replicasInScale: FieldPath = [fieldElement('spec'), fieldElement('replicas')]

function timesOf(parent: Managed, scale: Managed): ReadonlyMap<string, string> {
  return new Map([...scale.times, ...parent.times])
}
