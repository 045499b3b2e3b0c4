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

/** What is followed, and with what. */
export interface FollowOptions extends SelectOptions {
  readonly client: Client
  readonly at: ResourceAt
  /** Whole objects, or their metadata alone. Default `object`. */
  readonly form?: ObjectForm | undefined
  /** Objects in a page of the list. Default 500. */
  readonly pageSize?: number | undefined
  /** Default the system's. */
  readonly clock?: Clock | undefined
  /** Told of each failure that is tried again. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/** A step of following a resource: a list, object by object, and after it what happens. */
export type Followed<T extends KubernetesObject = KubernetesObject> =
  /** A list begins: what was known may be out of date. */
  | { readonly kind: 'listing' }
  | { readonly kind: 'object'; readonly object: Stored<T> }
  /** The list is complete: what it did not hold is gone. */
  | { readonly kind: 'listed' }
  | { readonly kind: 'changed'; readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Stored<T> }

/**
 * Lists a resource and watches it from there on, for as long as the signal allows. A watch that ends goes on where it
 * was; one whose past is forgotten begins with a new list. Failures are tried again, at growing intervals.
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
    // What lasted worked: it goes on at once. What ended at once must not be asked for in a tight loop.
    if (clock.monotonic() - started >= shortWatch) backoff.reset()
    else await clock.sleep(backoff.next(), signal).catch(() => {})
  }
}

interface Position {
  /** Everything up to here has been given; undefined: nothing yet, or too little to go on from. */
  revision: string | undefined
}

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
    // Only after it was taken: who stops in the middle of an event gets it again.
    position.revision = object.metadata.resourceVersion ?? position.revision
  }
}
