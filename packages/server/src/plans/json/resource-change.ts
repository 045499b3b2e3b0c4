import type { StoredChange } from '../../estate/index.ts'
import type { ChangeRecord } from '../../model/index.ts'
import { planJsonChange } from '../api/change-page.ts'
import { deposedKey, type EntryFacts, nameOf } from './resource-values.ts'

/** Converts a change to an entry of `resource_changes` or `resource_drift`. */
export function resourceChange(change: StoredChange<ChangeRecord>, { provider }: EntryFacts): object {
  const { reason, movedFrom } = change.record
  const deposed = deposedKey(change)
  const { address, ...name } = nameOf(change, provider)
  return {
    address,
    ...(movedFrom !== undefined && { previous_address: movedFrom }),
    ...name,
    ...(deposed !== undefined && { deposed }),
    change: planJsonChange(change.record),
    ...(reason !== undefined && { action_reason: reason }),
  }
}
