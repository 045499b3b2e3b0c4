import { createBackoff } from '@hykube/machinery/base'
import { StorageError } from '../storage-error.ts'
import { isConflict, isConnectionFailure, storageFailure } from './failure.ts'
import type { CompletePostgresOptions } from './postgres-options.ts'
import { type Queryable, Session, type Statement } from './session.ts'
import { SnapshotLane } from './snapshot-lane.ts'

/**
 * A fixed number of connections for reads. A statement goes to the connection with the fewest running ones. A statement
 * whose connection broke is retried on another until the database was unreachable for half of `outageTimeout`: unlike a
 * commit, a failed read has no side effects. After that each read gets one attempt, because clients retry a 503 ten
 * times.
 */
export class ReaderPool implements Queryable {
  readonly #options: CompletePostgresOptions
  readonly #slots: (Promise<Session> | undefined)[]
  readonly #sessions: (Session | undefined)[]
  readonly #lanes: readonly [SnapshotLane, SnapshotLane]
  /** Time of the first failed read of the current outage; undefined while the database responds. */
  #failingSince: number | undefined
  #closed = false

  constructor(options: CompletePostgresOptions) {
    this.#options = options
    this.#slots = Array(options.readers).fill(undefined)
    this.#sessions = Array(options.readers).fill(undefined)
    this.#lanes = [new SnapshotLane(options), new SnapshotLane(options)]
  }

  query<R>(statement: Statement | string, values?: readonly unknown[]): Promise<R[]> {
    return this.#persist('read', async () => (await this.#session()).query<R>(statement, values))
  }

  /** Runs several statements on one snapshot. `work` may be called again after a failure. */
  snapshot<T>(work: (queryable: Queryable) => Promise<T>): Promise<T> {
    return this.#persist('read', () => {
      const [first, second] = this.#lanes
      return (second.load < first.load ? second : first).run(work)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#sessions.map((session) => session?.end()), ...this.#lanes.map((lane) => lane.close())])
  }

  async #persist<T>(attempted: string, work: () => Promise<T>): Promise<T> {
    const { clock, outageTimeout } = this.#options
    const backoff = createBackoff({ initial: 20, maximum: 1_000 })
    for (;;) {
      if (this.#closed) throw new StorageError('closed', 'cannot read: the store was closed')
      try {
        const result = await work()
        this.#failingSince = undefined
        return result
      } catch (error) {
        const wait = backoff.next()
        const repeatable = isConnectionFailure(error) || isConflict(error) || isUnavailable(error)
        this.#failingSince ??= clock.monotonic()
        if (!repeatable || clock.monotonic() + wait > this.#failingSince + outageTimeout / 2)
          throw storageFailure(error, attempted)
        await clock.sleep(wait)
      }
    }
  }

  #session(): Promise<Session> | Session {
    let best = 0
    let least = Number.POSITIVE_INFINITY
    for (let index = 0; index < this.#slots.length && least > 0; index++) {
      const session = this.#sessions[index]
      const load = session?.isAlive === true ? session.pending : this.#slots[index] === undefined ? busyEnough : slow
      if (load < least) {
        best = index
        least = load
      }
    }
    const session = this.#sessions[best]
    return session?.isAlive === true ? session : this.#connect(best)
  }

  #connect(index: number): Promise<Session> {
    const running = this.#slots[index]
    if (running !== undefined) return running
    const connecting = Session.connect(this.#options, 'reader').then((session) => {
      if (this.#closed) session.close()
      this.#sessions[index] = session
      return session
    })
    this.#slots[index] = connecting
    const done = () => {
      this.#slots[index] = undefined
    }
    connecting.then(done, done)
    return connecting
  }
}

// A further connection is opened when each open one has this many running statements; one being opened is used last.
const busyEnough = 4
const slow = 1_000

function isUnavailable(error: unknown): boolean {
  return error instanceof StorageError && error.failure === 'unavailable'
}
