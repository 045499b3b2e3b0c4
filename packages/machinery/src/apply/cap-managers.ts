import type { Steps } from '../base/index.ts'
import { compareUtf8 } from '../base/index.ts'
import { type FieldSet, unionOf } from './field-set.ts'
import { compareTimes, type Managed, managerIdentifier } from './managed-fields.ts'

/** The limit on managedFields entries of operation Update, as in kube-apiserver. */
export const maximumUpdateManagers = 10

/**
 * Limits the number of Update entries: the oldest entries of each version are merged into one with the manager
 * `ancient-changes`, until at most `maximum` remain.
 */
export function* capUpdateManagers(managed: Managed, maximum = maximumUpdateManagers): Steps<Managed> {
  const updaters = [...managed.managers].filter(([, { applied }]) => !applied).map(([identifier]) => identifier)
  if (updaters.length <= maximum) return managed
  updaters.sort((a, b) => compareTimes(managed.times.get(a), managed.times.get(b)) || compareUtf8(a, b))
  const managers = new Map(managed.managers)
  const times = new Map(managed.times)
  const firstOf = new Map<string, string>()
  const merged = new Map<string, FieldSet[]>()
  let count = updaters.length
  for (const identifier of updaters) {
    if (count <= maximum) break
    const { apiVersion, set } = managers.get(identifier)!
    const first = firstOf.get(apiVersion)
    if (first === undefined) {
      firstOf.set(apiVersion, identifier)
      continue
    }
    const bucket = managerIdentifier({ manager: 'ancient-changes', operation: 'Update', apiVersion, subresource: '' })
    if (!managers.has(bucket)) {
      managers.set(bucket, managers.get(first)!)
      managers.delete(first)
    }
    const sets = merged.get(bucket) ?? [managers.get(bucket)!.set]
    sets.push(set)
    merged.set(bucket, sets)
    if (identifier !== bucket) managers.delete(identifier)
    count--
    // Entries are sorted by time, so this is the later of the two times.
    const time = managed.times.get(identifier)
    if (time === undefined) times.delete(bucket)
    else times.set(bucket, time)
  }
  for (const [bucket, sets] of merged) {
    managers.set(bucket, { ...managers.get(bucket)!, set: yield* unionOf(sets), applied: false })
  }
  return { managers, times }
}
