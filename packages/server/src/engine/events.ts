import { randomUUID } from 'node:crypto'
import type { Clock } from '@hykube/machinery/base'
import { timeToText } from '@hykube/machinery/object'
import type { ObjectStore } from '../resource/index.ts'

/** Whom an event is about. */
export interface EventSubject {
  readonly cluster: string
  /** Empty for objects of the cluster, whose events are in `default`. */
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

/** Tells people what happened to an object. It must not stand in the way of what it tells of: failures are swallowed. */
export async function recordEvent(
  objects: ObjectStore,
  clock: Clock,
  subject: EventSubject,
  facts: EventFacts,
): Promise<void> {
  await recordEvents(objects, clock, [[subject, facts]])
}

/** The same for many objects at once. */
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

// As long as Kubernetes' clients let messages of events be.
const longest = 1024
