import { abortReason, isAbortError } from '@hykube/machinery/base'
import type { Revision, Store } from '../storage/index.ts'
import type { ResourceLocation } from './object-key.ts'
import { ObservedBatch } from './observed-batch.ts'
import { ObservedChange } from './observed-change.ts'
import { failureFromStorage } from './storage-failure.ts'
import { Topic, type Waiter } from './topic.ts'

/**
 * Follows the store's change log once for all watchers. Each resource is a topic with its recent changes. A
 * subscription is a position in the topic; when it is further behind, it reads the log itself.
 */
export class WatchHub {
  readonly #store: Store
  readonly #topics = new Map<string, Topic>()
  /** The topics of several groups among them. */
  readonly #suffixNames = new Set<string>()
  readonly #stop = new AbortController()
  readonly #listeners = new Set<(changes: readonly ObservedChange[]) => void>()
  readonly #ended: Promise<void>
  #revision: Revision
  #failure: unknown

  private constructor(store: Store, revision: Revision) {
    this.#store = store
    this.#revision = revision
    this.#ended = this.#follow()
  }

  static async open(store: Store): Promise<WatchHub> {
    return new WatchHub(store, await store.now())
  }

  /** Revision up to which all changes were received. */
  get revision(): Revision {
    return this.#revision
  }

  /** Registers a callback for every batch of changes of all resources. It runs before subscriptions see the batch. */
  listen(listener: (changes: readonly ObservedChange[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Starts a subscription to the changes of a resource after a revision. */
  subscribe(resource: ResourceLocation, after: Revision): Subscription {
    return this.#subscribe(topicName(resource), after)
  }

  /** Starts a subscription to the changes of all resources whose group ends with a text. */
  subscribeToGroups(suffix: string, after: Revision): Subscription {
    const name = `${suffixMark}${suffix}`
    this.#suffixNames.add(name)
    return this.#subscribe(name, after)
  }

  #subscribe(name: string, after: Revision): Subscription {
    const topic = this.#topicOf(name)
    topic.subscribers++
    const close = () => {
      if (--topic.subscribers > 0) return
      this.#topics.delete(name)
      this.#suffixNames.delete(name)
    }
    return new Subscription(this, topic, name, after, close)
  }

  /** Reads a topic's changes from the log, from a revision up to the hub's. */
  async readLog(topic: string, after: Revision, signal: AbortSignal): Promise<LogPart> {
    const until = this.#revision
    const changes: ObservedChange[] = []
    if (after >= until) return { changes, revision: after }
    try {
      for await (const batch of this.#store.changes(after, { signal })) {
        for (const change of batch.changes) {
          const observed = new ObservedChange(change, this.#store)
          if (isInTopic(topic, observed.place)) changes.push(observed)
        }
        if (batch.revision >= until || changes.length >= maxLogChanges) return { changes, revision: batch.revision }
      }
    } catch (error) {
      throw failureFromStorage(error, 'read changes')
    }
    return { changes, revision: after }
  }

  /** Throws the error that ended the hub, if any. */
  assertOpen(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#ended
  }

  async #follow(): Promise<void> {
    try {
      for await (const batch of this.#store.changes(this.#revision, { signal: this.#stop.signal })) this.#take(batch)
    } catch (error) {
      if (!isAbortError(error)) this.#failure = failureFromStorage(error, 'follow the store')
    }
    for (const topic of this.#topics.values()) topic.wake()
  }

  #take(batch: {
    readonly changes: readonly ConstructorParameters<typeof ObservedChange>[0][]
    readonly revision: Revision
  }): void {
    const changes = batch.changes.map((change) => new ObservedChange(change, this.#store))
    this.#revision = batch.revision
    for (const listener of this.#listeners) listener(changes)
    for (const [name, group] of Map.groupBy(changes, ({ place }) => topicName(place)))
      this.#topics.get(name)?.add(group)
    for (const name of this.#suffixNames) {
      const some = changes.filter(({ place }) => isInTopic(name, place))
      if (some.length > 0) this.#topics.get(name)?.add(some)
    }
  }

  #topicOf(name: string): Topic {
    let topic = this.#topics.get(name)
    if (topic === undefined) {
      topic = new Topic(this.#revision)
      this.#topics.set(name, topic)
    }
    return topic
  }
}

/** Changes from the log, and the revision up to which they are complete. */
interface LogPart {
  readonly changes: readonly ObservedChange[]
  readonly revision: Revision
}

/** A position in a topic. It has no queue, so a watcher that does not read uses no memory here. */
export class Subscription implements Waiter {
  readonly #hub: WatchHub
  readonly #topic: Topic
  readonly #name: string
  readonly #close: () => void
  #position: Revision
  #waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined
  #signal: AbortSignal | undefined

  constructor(hub: WatchHub, topic: Topic, name: string, after: Revision, close: () => void) {
    this.#hub = hub
    this.#topic = topic
    this.#name = name
    this.#position = after
    this.#close = close
  }

  /** Releases the topic; must be called once. */
  close(): void {
    this.#signal?.removeEventListener('abort', this.#aborted)
    this.#close()
  }

  /** Waits for the next changes, at least one. Rejects with Expired when they were compacted. */
  async next(signal: AbortSignal): Promise<ObservedBatch> {
    for (;;) {
      this.#hub.assertOpen()
      const batch = this.#topic.knows(this.#position) ? this.#topic.after(this.#position) : await this.#readLog(signal)
      const last = batch.changes.at(-1)
      if (last !== undefined) {
        this.#position = last.revision
        return batch
      }
      if (this.#topic.knows(this.#position) && !this.#topic.hasAfter(this.#position)) await this.#changed(signal)
    }
  }

  wake(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.resolve()
  }

  /**
   * Revision up to which the subscriber has seen everything; undefined while changes are pending. Used for bookmarks.
   */
  get upToDateWith(): Revision | undefined {
    const current = this.#topic.knows(this.#position) && !this.#topic.hasAfter(this.#position)
    return current ? Math.max(this.#position, this.#hub.revision) : undefined
  }

  async #readLog(signal: AbortSignal): Promise<ObservedBatch> {
    const { changes, revision } = await this.#hub.readLog(this.#name, this.#position, signal)
    this.#position = changes.at(-1)?.revision ?? revision
    return new ObservedBatch(changes)
  }

  #changed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw abortReason(signal)
    // One abort listener serves all waits: a watch waits thousands of times and aborts once.
    if (signal !== this.#signal) {
      this.#signal?.removeEventListener('abort', this.#aborted)
      this.#signal = signal
      signal.addEventListener('abort', this.#aborted, { once: true })
    }
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#topic.addWaiter(this)
    })
  }

  readonly #aborted = (): void => {
    const waiting = this.#waiting
    if (waiting === undefined) return
    this.#waiting = undefined
    this.#topic.removeWaiter(this)
    waiting.reject(abortReason(this.#signal!))
  }
}

const maxLogChanges = 1000

// No group begins with this.
const suffixMark = '*'

function isInTopic(name: string, place: ResourceLocation): boolean {
  return name.startsWith(suffixMark) ? place.group.endsWith(name.slice(suffixMark.length)) : topicName(place) === name
}

function topicName({ group, resource, identity = '' }: ResourceLocation): string {
  return `${group}\0${resource}\0${identity}`
}
