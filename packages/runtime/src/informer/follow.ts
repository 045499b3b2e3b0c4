import { type Clock, createBackoff, isAbortError, systemClock } from '@hykube/machinery/base'
import type { KubernetesObject } from '@hykube/machinery/object'
import {
  type Client,
  failedWith,
  type ObjectForm,
  type ResourceAt,
  type SelectOptions,
  type Stored,
} from '../client/index.ts'

/** The resource to follow, and the client for it. */
export interface FollowOptions extends SelectOptions {
  readonly client: Client
  readonly at: ResourceAt
  /** Whole objects, or only their metadata. Default `object`. */
  readonly form?: ObjectForm | undefined
  /** The number of objects per page of the list. Default 500. */
  readonly pageSize?: number | undefined
  /** Default: the system clock. */
  readonly clock?: Clock | undefined
  /** Called with each failure before it is retried. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/** An event of `follow`: a list, object by object, followed by changes. */
export type Followed<T extends KubernetesObject = KubernetesObject> =
  /** A list starts: cached state may be outdated. */
  | { readonly kind: 'listing' }
  | { readonly kind: 'object'; readonly object: Stored<T> }
  /** The list is complete: objects that it did not contain no longer exist. */
  | { readonly kind: 'listed' }
  | { readonly kind: 'changed'; readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Stored<T> }

/**
 * Lists a resource and watches it from that revision, until the signal aborts. A watch that ends is resumed at its last
 * revision; when that revision was compacted, the resource is listed again. Failures are retried with backoff.
 */
export async function* follow<T extends KubernetesObject = KubernetesObject>(
  options: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<Followed<T>> {
  const { clock = systemClock, onFailure = () => {} } = options
  const backoff = createBackoff({ initial: 100, maximum: 30_000 })
  const position: Position = { revision: undefined }
  let started = clock.monotonic()
  while (!signal.aborted) {
    try {
      started = clock.monotonic()
      if (position.revision === undefined) yield* list<T>(options, position, signal)
      yield* watch<T>(options, position, signal)
    } catch (error) {
      if (signal.aborted || isAbortError(error)) return
      if (failedWith(error, 'Expired', 'Gone')) position.revision = undefined
      else onFailure(error)
    }
    // A watch that lasted is resumed immediately. One that ended early waits, so as not to reconnect in a tight loop.
    if (clock.monotonic() - started >= shortWatch) backoff.reset()
    else await clock.sleep(backoff.next(), signal).catch(() => {})
  }
}

interface Position {
  /** All events up to this revision were delivered. Undefined: a list is needed first. */
  revision: string | undefined
}

// Milliseconds below which a list and watch count as ended early.
const shortWatch = 1000

async function* list<T extends KubernetesObject>(
  { client, at, form, pageSize, labelSelector, fieldSelector }: FollowOptions,
  position: Position,
  signal: AbortSignal,
): AsyncGenerator<Followed<T>> {
  yield { kind: 'listing' }
  let revision: string | undefined
  const pages = client.pages<T>(at, { form, limit: pageSize ?? 500, labelSelector, fieldSelector, signal })
  for await (const page of pages) {
    revision = page.metadata.resourceVersion
    for (const object of page.items) yield { kind: 'object', object: object as Stored<T> }
  }
  yield { kind: 'listed' }
  position.revision = revision
}

async function* watch<T extends KubernetesObject>(
  { client, at, form, labelSelector, fieldSelector }: FollowOptions,
  position: Position,
  signal: AbortSignal,
): AsyncGenerator<Followed<T>> {
  const resourceVersion = position.revision
  const events = client.watch<T>(at, { form, resourceVersion, labelSelector, fieldSelector, signal })
  for await (const { type, object } of events) {
    if (type !== 'BOOKMARK') yield { kind: 'changed', type, object }
    // Advanced only after the consumer took the event: if it fails on the event, the event is delivered again.
    position.revision = object.metadata.resourceVersion ?? position.revision
  }
}
