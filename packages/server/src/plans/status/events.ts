import { randomUUID } from 'node:crypto'
import { timeToText } from '@hykube/machinery/amounts'
import type { Clock } from '@hykube/machinery/base'
import type { ObjectStore } from '../../resource/index.ts'

/** The object of an Event. */
export interface EventSubject {
  readonly cluster: string
  /** Empty for cluster-scoped objects, whose Events are in `default`. */
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly apiVersion: string
  readonly kind: string
}

export interface EventFacts {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** Writes an Event about an object. Errors are ignored, because an Event must not fail the operation it reports. */
export async function recordEvent(
  objects: ObjectStore,
  clock: Clock,
  subject: EventSubject,
  facts: EventFacts,
): Promise<void> {
  await recordEvents(objects, clock, [[subject, facts]])
}

/** Writes Events about several objects in one commit. */
export async function recordEvents(
  objects: ObjectStore,
  clock: Clock,
  all: readonly (readonly [EventSubject, EventFacts])[],
): Promise<void> {
  await objects.change(all.map(([subject, facts]) => eventOf(clock, subject, facts))).catch(() => {})
}

function eventOf(
  clock: Clock,
  { cluster, namespace: own, name, uid, apiVersion, kind }: EventSubject,
  { type, reason, message }: EventFacts,
) {
  const namespace = own === '' ? 'default' : own
  const now = timeToText(clock.now())
  const eventName = `${name.slice(0, 220)}.${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const after = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: eventName, namespace, uid: randomUUID(), creationTimestamp: now },
    involvedObject: { apiVersion, kind, name, uid, ...(own !== '' && { namespace: own }) },
    reason,
    message: message.slice(0, longest),
    source: { component: 'hykube' },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    type,
    eventTime: null,
    reportingComponent: 'hykube',
    reportingInstance: '',
  }
  return { resource: events, place: { cluster, namespace, name: eventName }, before: undefined, after }
}

const events = { group: '', resource: 'events' } as const

// Kubernetes' limit for the message of an Event.
const longest = 1024
