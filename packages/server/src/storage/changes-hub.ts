import { type Clock, onAbort, systemClock } from '@hykube/machinery/base'
import { ChangeRing } from './change-ring.ts'
import type { ChangeBatch, ChangesOptions, Revision } from './contract.ts'
import { checkReached, expiredAt } from './revision-check.ts'
import { SharedBatch } from './shared-batch.ts'
import type { StorageError } from './storage-error.ts'

/** The log, read by followers that are behind. */
export interface ChangeLog {
  /** Last visible revision. */
  now(): Promise<Revision>
  /** Followers at an earlier revision are expired. */
  compacted(): Revision
  /**
   * Reads whole groups after a revision, oldest first: about a megabyte, and at least one group when there is any. The
   * batch's revision is the end of the read; it is above `after` unless nothing newer is visible.
   */
  read(after: Revision): Promise<ChangeBatch>
}

export interface ChangesHubOptions {
  /** Bytes of recent batches kept for followers that are nearly up to date. Default 4 MiB. */
  readonly ringBytes?: number
  /** Maximum time until a waiting follower gets the revision of changes in other spaces. Default 100. */
  readonly progressMilliseconds?: number
  /** Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Sends committed changes to any number of followers while reading the log once. The backend publishes each batch, and
 * waiting followers get it from a ring of recent batches. The state of a follower is only its position: a slow follower
 * falls out of the ring and continues from the log.
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

  /** Number of followers. While it is 0 a backend does not build batches but calls {@link skip}. */
  get followers(): number {
    return this.#followers
  }

  /** Approximate memory kept for all followers. */
  get bytes(): number {
    return this.#ring.bytes
  }

  /** Revision up to which batches were published. */
  get head(): Revision {
    return this.#ring.head
  }

  /** Publishes all changes between the head and the batch's revision: whole groups, none missing. */
  publish(batch: ChangeBatch): void {
    const from = this.#ring.head
    if (batch.revision <= from) return
    const shared = this.#ring.add(batch)
    for (const waiter of this.#waiting) this.#tell(waiter, shared)
  }

  /** Moves the head without a batch; followers read those changes from the log. */
  skip(revision: Revision): void {
    if (revision <= this.#ring.head) return
    this.#ring.skip(revision)
    for (const waiter of this.#waiting) this.#wake(waiter)
  }

  /** Follows from a revision, as {@link Store.changes} specifies. */
  async *follow(after: Revision, { signal, space }: ChangesOptions = {}): AsyncGenerator<ChangeBatch, undefined> {
    let position = after
    this.#followers++
    try {
      checkReached(after, await this.#log.now())
      while (!this.#isFinished(signal)) {
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

  /** Ends all followers, with an error if one is given. */
  close(failure?: StorageError): void {
    this.#failure ??= failure
    this.#closing.abort()
    for (const waiter of this.#waiting) this.#wake(waiter)
  }

  // Returns the next batch after a position, or undefined when following has ended.
  async #next(position: Revision, space: string | undefined, signal: AbortSignal | undefined) {
    for (;;) {
      const compacted = this.#log.compacted()
      if (position < compacted) throw expiredAt(position, compacted)
      if (position >= this.#ring.head) {
        const reached = await this.#wait(position, space, signal)
        if (this.#isFinished(signal)) return undefined
        // No change in between is in the follower's space, otherwise it would have been woken.
        if (reached > position) return { changes: [], revision: reached }
        continue
      }
      const shared = this.#ring.holding(position) ?? (await this.#read(position))
      if (this.#isFinished(signal)) return undefined
      if (shared.revision > position) return shared.after(position, space)
    }
  }

  // Followers that catch up from the same position share one read.
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

  // Resolves with a new position when there are changes after it, or to report progress.
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

  #isFinished(signal: AbortSignal | undefined): boolean {
    return this.#closing.signal.aborted || signal?.aborted === true
  }
}

interface Waiter {
  /** All changes up to here were delivered, or are in other spaces. */
  position: Revision
  /** Position when the wait began. */
  readonly since: Revision
  readonly space: string | undefined
  readonly resolve: (position: Revision) => void
  release: () => void
}
