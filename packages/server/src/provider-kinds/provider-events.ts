import { createHash, randomUUID } from 'node:crypto'
import { timeToText } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import { decodeObject, type ObjectLocation, type ObjectStore } from '../resource/index.ts'

/** An Event about a Provider. */
export interface ProviderEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/**
 * Writes an Event about a Provider. Events about cluster-scoped objects are in the namespace `default`. A repeated Event increments its count.
 * A conflicting write is dropped, because the conditions have the same information.
 */
export async function recordProviderEvent(
  objects: ObjectStore,
  { cluster, name }: ObjectLocation,
  uid: string,
  event: ProviderEvent,
  now: number,
): Promise<void> {
  const place = { cluster, namespace: eventNamespace, name: eventName(name, uid, event) }
  const before = await objects.get(eventResource, place)
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
      resource: eventResource,
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

const eventResource = { group: '', resource: 'events' } as const
const eventNamespace = 'default'

function eventName(provider: string, uid: string, { reason, message }: ProviderEvent): string {
  const digest = createHash('sha256').update(`${uid} ${reason} ${message}`).digest('hex')
  return `${provider}.${digest.slice(0, 16)}`
}
