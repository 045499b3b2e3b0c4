import type { KubernetesObject } from '@hykube/machinery/object'
import type { ObservedChange } from '../../../resource/index.ts'
import type { Selection } from '../lists/selection.ts'
import type { VisibleRows } from '../lists/visible-rows.ts'
import { type EventForm, typeOfChange } from './watch-event.ts'

/** The event of a row for a change of its object; undefined when the client must not see it. */
export async function rowEvent(
  rows: VisibleRows,
  { all }: Selection,
  events: EventForm,
  change: ObservedChange,
): Promise<Uint8Array | undefined> {
  const { place, kind } = change
  if (!rows.isVisible(place)) return undefined
  const now = rows.row(place, () => change.object)
  if (all) return now && events.encode(typeOfChange(change), now)
  const previous = change.previous === undefined ? undefined : await change.previousObject()
  const before = previous && rows.row(place, () => previous)
  if (kind === 'put' && now !== undefined) return events.encode(before === undefined ? 'ADDED' : 'MODIFIED', now)
  return before && events.encode('DELETED', atRevision(before, change.revision))
}

/** The object with the revision of a later change. */
export function atRevision(object: KubernetesObject, revision: number): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }
}
