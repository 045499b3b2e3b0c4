import { type Clock, onAbort, systemClock } from '@hykube/machinery/base'
import { ChangeRing } from './change-ring.ts'
import type { ChangeBatch, ChangesOptions, Revision } from './contract.ts'
import { checkReached, expiredAt } from './revision-check.ts'
import { SharedBatch } from './shared-batch.ts'
import type { StorageError } from './storage-error.ts'

/** The log as followers that are not up to date read it. */
export interface ChangeLog {
  /** The last visible revision. */
  now(): Promise<Revision>
  /** Followers from before this revision are expired. */
  compacted(): Revision
  /**
   * Whole groups after a revision, oldest first: about a megabyte of them, at least one group when there is any. The
   * batch's revision is how far was looked; it is beyond `after` unless nothing newer is visible.
   */
  read(after: Revision): Promise<ChangeBatch>
}

export interface ChangesHubOptions {
  /** How many bytes of recent batches are kept for followers that are nearly up to date. Default 4 MiB. */
  readonly ringBytes?: number
  /** How long a waiting follower may go without hearing of revisions that do not concern it. Default 100. */
  readonly progressMilliseconds?: number
  /** Default: the machine's time. */
  readonly clock?: Clock
}

/**
 * Tells any number of followers what was committed, reading the log once for all of them. The backend publishes each
 * batch; those who wait get it from a ring of recent batches. A follower is a position and nothing else: one that does not
 * take its batches falls out of the ring, and reads the log from its position when it asks again.
 */
export class ChangesHub {
  readonly #log: ChangeLog
  readonly #ring: ChangeRing
  readonly #clock: Clock
  readonly #progressMilliseconds: number
  readonly #waiting = new Set<Waiter>()
  readonly #reading = new Map<Revision, Promise<SharedBatch>>()
  readonly #closing = new AbortController()
  #followers = 0
  #failure: StorageError | undefined
  #progressDue = false

  constructor(log: ChangeLog, head: Revision, options: ChangesHubOptions = {}) {
    this.#log = log
    this.#ring = new ChangeRing(head, options.ringBytes ?? 4 * 1024 * 1024)
    this.#clock = options.clock ?? systemClock
    this.#progressMilliseconds = options.progressMilliseconds ?? 100
  }

  /** How many follow now. While nobody does, a backend need not build batches: it calls {@link skip}. */
  get followers(): number {
    return this.#followers
  }

  /** About how much memory is kept for followers, however many there are and whatever they do. */
  get bytes(): number {
    return this.#ring.bytes
  }

  /** The revision up to which batches were published. */
  get head(): Revision {
    return this.#ring.head
  }

  /** Tells everything between the head and the batch's revision: whole groups, none missing. */
  publish(batch: ChangeBatch): void {
    const from = this.#ring.head
    if (batch.revision <= from) return
    const shared = this.#ring.add(batch)
    for (const waiter of this.#waiting) this.#tell(waiter, shared)
  }

  /** Moves the head without telling what is between: followers find it in the log. */
  skip(revision: Revision): void {
    if (revision <= this.#ring.head) return
    this.#ring.skip(revision)
    for (const waiter of this.#waiting) this.#wake(waiter)
  }

  /** Follows from a revision, as {@link Store.changes} promises. */
  async *follow(after: Revision, { signal, space }: ChangesOptions = {}): AsyncGenerator<ChangeBatch, undefined> {
    let position = after
    this.#followers++
    try {
      checkReached(after, await this.#log.now())
      while (!this.#isOver(signal)) {
        const batch = await this.#next(position, space, signal)
        if (batch === undefined) break
        position = batch.revision
        yield batch
      }
      if (this.#failure !== undefined) throw this.#failure
      return undefined
    } finally {
      this.#followers--
    }
  }

  /** Ends all followers; with a failure when one is given. */
  close(failure?: StorageError): void {
    this.#failure ??= failure
    this.#closing.abort()
    for (const waiter of this.#waiting) this.#wake(waiter)
  }

  // The next batch after a position; undefined when following is over.
  async #next(position: Revision, space: string | undefined, signal: AbortSignal | undefined) {
    for (;;) {
      const compacted = this.#log.compacted()
      if (position < compacted) throw expiredAt(position, compacted)
      if (position >= this.#ring.head) {
        const reached = await this.#wait(position, space, signal)
        if (this.#isOver(signal)) return undefined
        // Nothing in between concerned the follower, or it would have been woken at once.
        if (reached > position) return { changes: [], revision: reached }
        continue
      }
      const shared = this.#ring.holding(position) ?? (await this.#read(position))
      if (this.#isOver(signal)) return undefined
      if (shared.revision > position) return shared.after(position, space)
    }
  }

  // Followers that catch up from the same place share one reading.
  #read(after: Revision): Promise<SharedBatch> {
    const running = this.#reading.get(after)
    if (running !== undefined) return running
    const reading = this.#log.read(after).then((batch) => {
      const compacted = this.#log.compacted()
      if (after < compacted) throw expiredAt(after, compacted)
      return new SharedBatch(after, batch)
    })
    this.#reading.set(after, reading)
    const forget = () => this.#reading.delete(after)
    reading.then(forget, forget)
    return reading
  }

  // Resolves with the position the follower may take as told when there is something after it, or to show progress.
  #wait(position: Revision, space: string | undefined, signal: AbortSignal | undefined): Promise<Revision> {
    return new Promise((resolve) => {
      const waiter: Waiter = { position, since: position, space, resolve, release: () => {} }
      this.#waiting.add(waiter)
      waiter.release = onAbort(signal, () => this.#wake(waiter))
    })
  }

  #tell(waiter: Waiter, batch: SharedBatch): void {
    if (waiter.position >= batch.revision) return
    if (waiter.position < batch.from || batch.concerns(waiter.space)) {
      this.#wake(waiter)
    } else {
      waiter.position = batch.revision
      this.#scheduleProgress()
    }
  }

  #wake(waiter: Waiter): void {
    this.#waiting.delete(waiter)
    waiter.release()
    waiter.resolve(waiter.position)
  }

  #scheduleProgress(): void {
    if (this.#progressDue) return
    this.#progressDue = true
    const show = () => {
      this.#progressDue = false
      for (const waiter of this.#waiting) if (waiter.position > waiter.since) this.#wake(waiter)
    }
    this.#clock.sleep(this.#progressMilliseconds, this.#closing.signal).then(show, () => {})
  }

  #isOver(signal: AbortSignal | undefined): boolean {
    return this.#closing.signal.aborted || signal?.aborted === true
  }
}

interface Waiter {
  /** Everything up to here is told, or does not concern the follower. */
  position: Revision
  /** The position when the waiting began. */
  readonly since: Revision
  readonly space: string | undefined
  readonly resolve: (position: Revision) => void
  release: () => void
}
