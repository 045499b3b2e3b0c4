import { setTimeout as wait } from 'node:timers/promises'
import type { Follower, LoggedChange } from './history/history.ts'
import type { RemoteStore } from './remote-store.ts'

/** Follows one store after the other from its last revision, and records the changes it receives. */
export class RecordedFollower {
  readonly name: string
  readonly #stores: readonly RemoteStore[]
  readonly #changes: LoggedChange[] = []
  #reached = 0
  #turn: number
  #arrived: () => void = () => {}

  constructor(name: string, stores: readonly RemoteStore[], turn: number) {
    this.name = name
    this.#stores = stores
    this.#turn = turn
  }

  get reached(): number {
    return this.#reached
  }

  /** Follows until the signal aborts; continues at another store whenever one ends the stream. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const ended = await this.#follow(this.#stores[this.#turn++ % this.#stores.length]!, signal)
      if (ended === 'expired') throw new Error(`${this.name} fell behind compaction at ${this.#reached}`)
      await wait(5)
    }
  }

  /** Resolves when all changes up to a revision were received. */
  async reaches(revision: number): Promise<void> {
    while (this.#reached < revision) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve
      })
    }
  }

  record(): Follower {
    return { name: this.name, after: 0, changes: this.#changes, reached: this.#reached }
  }

  #follow(store: RemoteStore, signal: AbortSignal): Promise<string> {
    return new Promise((resolve) => {
      let over = false
      const finish = (reason: string) => {
        over = true
        resolve(reason)
      }
      signal.addEventListener('abort', () => finish('aborted'), { once: true })
      const name = `${this.name}#${this.#turn}`
      const started = store.follow(name, this.#reached, {
        batch: (batch) => {
          if (over || !('revision' in batch)) return
          this.#changes.push(...(batch.changes as LoggedChange[]))
          this.#reached = batch.revision
          this.#arrived()
        },
        ended: finish,
      })
      if (!started) finish('not running')
    })
  }
}
