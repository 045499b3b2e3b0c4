import { timeFromText } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import { type Client, ExpiredListError, failedWith, type ObjectList } from '@hykube/runtime/client'
import { refOf } from '@hykube/runtime/informer'
import { attemptAll } from '../attempt-all.ts'
import { coreResource } from '../context.ts'

/** Milliseconds an Event is kept after it last occurred. kube-apiserver's default of one hour. */
export const eventLifetime = 3_600_000

/** Result of one page of the scan. */
export interface ExpiryStep {
  /** Continue token of the next page; undefined at the end. */
  readonly next: string | undefined
  readonly deleted: number
}

/** Dependencies of a step of the scan. */
export interface ExpiryOptions {
  readonly clientFor: (cluster: string) => Client
  readonly now: number
  /** Default 500. */
  readonly pageSize?: number
}

/** Deletes the expired events of one page. */
export async function expireEvents(
  { clientFor, now, pageSize = 500 }: ExpiryOptions,
  from: string | undefined,
  signal: AbortSignal,
): Promise<ExpiryStep> {
  const page = await readPage(clientFor('*'), pageSize, from, signal)
  const old = page.items.filter((event) => now - lastSeen(event) > eventLifetime)
  await attemptAll(old, 8, (event) => expire(clientFor, event, signal))
  return { next: page.metadata.continue || undefined, deleted: old.length }
}

/** Returns when an event last occurred, in milliseconds: the latest of its timestamps. */
export function lastSeen(event: KubernetesObject): number {
  const { lastTimestamp, eventTime, series } = event as EventTimes
  const texts = [event.metadata?.creationTimestamp, lastTimestamp, eventTime, series?.lastObservedTime]
  return Math.max(0, ...texts.map((text) => (text == null ? 0 : (timeFromText(text) ?? 0))))
}

interface EventTimes {
  readonly lastTimestamp?: string | null
  readonly eventTime?: string | null
  readonly series?: { readonly lastObservedTime?: string | null } | null
}

// A scan may take longer than history is kept; it then continues at the current revision.
async function readPage(
  client: Client,
  limit: number,
  from: string | undefined,
  signal: AbortSignal,
): Promise<ObjectList> {
  const at = coreResource('events')
  try {
    return await client.list(at, { limit, continue: from, signal })
  } catch (error) {
    if (from === undefined || !(error instanceof ExpiredListError)) throw error
    return client.list(at, { limit, continue: error.continueToken, signal })
  }
}

// The resourceVersion precondition keeps an event that occurred again meanwhile.
async function expire(
  clientFor: ExpiryOptions['clientFor'],
  event: KubernetesObject,
  signal: AbortSignal,
): Promise<void> {
  const { cluster, namespace, name } = refOf(event)
  const { uid = '', resourceVersion = '' } = event.metadata ?? {}
  const at = { ...coreResource('events'), namespace, name }
  try {
    await clientFor(cluster).delete(at, { preconditions: { uid, resourceVersion }, signal })
  } catch (error) {
    if (!failedWith(error, 'NotFound', 'Conflict')) throw error
  }
}
