import { Mutex } from '@hykube/machinery/base'
import type { CompletePostgresOptions } from './postgres-options.ts'
import { type Queryable, Session } from './session.ts'

/** A connection for reads that need several statements on one snapshot, one read at a time. */
export class SnapshotLane {
  readonly #options: CompletePostgresOptions
  readonly #mutex = new Mutex()
  #session: Session | undefined
  #waiting = 0

  constructor(options: CompletePostgresOptions) {
    this.#options = options
  }

  /** Number of running and waiting reads. */
  get load(): number {
    return this.#waiting
  }

  async run<T>(work: (queryable: Queryable) => Promise<T>): Promise<T> {
    this.#waiting++
    try {
      return await this.#mutex.run(() => this.#read(work))
    } finally {
      this.#waiting--
    }
  }

  async close(): Promise<void> {
    await this.#session?.end()
  }

  async #read<T>(work: (queryable: Queryable) => Promise<T>): Promise<T> {
    if (this.#session?.isAlive !== true) this.#session = await Session.connect(this.#options, 'snapshot')
    const session = this.#session
    try {
      const [, result] = await Promise.all([
        session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'),
        work(session),
      ])
      return result
    } finally {
      session.query('COMMIT').catch(() => {})
    }
  }
}
