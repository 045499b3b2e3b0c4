import { createHash, randomUUID } from 'node:crypto'
import { type KubernetesObject, timeToText } from '@hykube/machinery/object'
import { decodeObject, type ObjectPlace, type ObjectStore } from '../resource/index.ts'

/** Something that happened to a Provider. */
export interface ProviderEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/**
 * Tells of it in an Event, which for what is in no namespace is in `default`. The same again counts up. An Event that can't be
 * written is none: what matters stands in the conditions.
 */
export async function recordProviderEvent(
  objects: ObjectStore,
  { cluster, name }: ObjectPlace,
  uid: string,
  event: ProviderEvent,
  now: number,
): Promise<void> {
  const place = { cluster, namespace: eventNamespace, name: eventName(name, uid, event) }
  const before = await objects.get(eventPlace, place)
  const known = before === undefined ? undefined : (decodeObject(before.bytes) as StoredEvent)
  const time = timeToText(now)
  const after: StoredEvent = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: known?.metadata ?? {
      name: place.name,
      namespace: eventNamespace,
      uid: randomUUID(),
      creationTimestamp: time,
    },
    involvedObject: { apiVersion: 'hykube.io/v1alpha1', kind: 'Provider', name, uid },
    ...event,
    source: { component: 'hykube' },
    firstTimestamp: known?.firstTimestamp ?? time,
    lastTimestamp: time,
    count: (known?.count ?? 0) + 1,
  }
  await objects.change([
    {
      resource: eventPlace,
      place,
      before,
      ...(known !== undefined && { beforeObject: known }),
      after,
      ...(before !== undefined && { tag: before.tag }),
    },
  ])
}

type StoredEvent = KubernetesObject &
  ProviderEvent & {
    readonly involvedObject: object
    readonly source: object
    readonly firstTimestamp: string
    readonly lastTimestamp: string
    readonly count: number
  }

const eventPlace = { group: '', resource: 'events' } as const
const eventNamespace = 'default'

function eventName(provider: string, uid: string, { reason, message }: ProviderEvent): string {
  const digest = createHash('sha256').update(`${uid} ${reason} ${message}`).digest('hex')
  return `${provider}.${digest.slice(0, 16)}`
}
