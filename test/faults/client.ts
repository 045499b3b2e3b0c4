import { setTimeout as wait } from 'node:timers/promises'
import type { CommitResult, Expected, WrittenOperation } from './history/history.ts'
import type { Recorder } from './history/recorder.ts'
import { type RemoteStore, StoreFailed, StoreGone } from './remote-store.ts'
import type { Answer, StoreCall } from './store-protocol.ts'

export interface ClientOptions {
  readonly number: number
  readonly stores: readonly RemoteStore[]
  readonly recorder: Recorder
  readonly random: () => number
  /** Number of keys per space. */
  readonly keys: number
  readonly signal: AbortSignal
  /** Called with an error that no fault explains. */
  readonly surprised: (message: string) => void
}

/**
 * Performs random reads and writes one after the other, and records each call and its result, until the signal aborts.
 */
export async function runClient(options: ClientOptions): Promise<void> {
  await new Client(options).run()
}

class Client {
  readonly #options: ClientOptions
  /** Last revision of each key that this client saw; 0 for absent. */
  readonly #seen = new Map<string, number>()
  #written = 0

  constructor(options: ClientOptions) {
    this.#options = options
  }

  async run(): Promise<void> {
    while (!this.#options.signal.aborted) {
      const store = this.#pick(this.#options.stores)
      if (!store.isReady) await wait(2)
      else if (!(await this.#act(store))) await wait(1 + this.#options.random() * 5)
    }
  }

  /** Performs one call; returns false when it failed, so that the client backs off. */
  #act(store: RemoteStore): Promise<boolean> {
    const chance = this.#options.random()
    if (chance < 0.2) return this.#get(store)
    if (chance < 0.24) return this.#scan(store)
    if (chance < 0.27) return this.#now(store)
    return this.#commit(store)
  }

  async #get(store: RemoteStore): Promise<boolean> {
    const key = this.#key(this.#pick(['a', 'a', 'b', 'c']))
    const last = Math.max(0, ...this.#seen.values())
    const at = !key.startsWith('b') && last > 0 && this.#options.random() < 0.2 ? { at: last } : {}
    const answered = this.#options.recorder.begin(this.#options.number, { kind: 'get', key, ...at })
    const answer = await this.#ask(store, { kind: 'get', key, ...('at' in at && { revision: at.at }) })
    if (answer?.kind !== 'entry') {
      answered({})
      return false
    }
    if (!('at' in at)) this.#seen.set(key, answer.entry?.revision ?? 0)
    const { entry } = answer
    answered({ found: entry === undefined ? 'absent' : { revision: entry.revision, value: entry.value } })
    return true
  }

  async #scan(store: RemoteStore): Promise<boolean> {
    const space = this.#pick(['a', 'b', 'c'])
    const answered = this.#options.recorder.begin(this.#options.number, { kind: 'scan', prefix: `${space}/` })
    const answer = await this.#ask(store, { kind: 'scan', space })
    if (answer?.kind !== 'snapshot') {
      answered({})
      return false
    }
    for (const { key, revision } of answer.snapshot.entries) this.#seen.set(key, revision)
    answered({ found: answer.snapshot })
    return true
  }

  async #now(store: RemoteStore): Promise<boolean> {
    const answered = this.#options.recorder.begin(this.#options.number, { kind: 'now' })
    const answer = await this.#ask(store, { kind: 'now' })
    answered(answer?.kind === 'revision' ? { revision: answer.revision } : {})
    return answer !== undefined
  }

  async #commit(store: RemoteStore): Promise<boolean> {
    const { recorder, number, random } = this.#options
    // Writes in the space without history are always committed together with one that has history, so that the log
    // shows whether the commit happened.
    const spaces = random() < 0.6 ? ['a'] : random() < 0.5 ? ['a', 'b'] : ['c', 'a', 'b']
    const operations = spaces.map((space) => this.#operation(this.#key(space)))
    const other = this.#key('a')
    const conditioned = random() < 0.1 && !operations.some(({ key }) => key === other)
    const conditions = conditioned ? [{ key: other, expect: this.#expectation(other) }] : []
    const answered = recorder.begin(number, { kind: 'commit', operations, conditions })
    const result = await this.#result(store, { kind: 'commit', operations, conditions })
    // A commit without a response has no end.
    if (result !== undefined) answered({ outcome: result })
    if (result?.kind === 'committed') {
      for (const [index, { kind, key }] of operations.entries()) {
        this.#seen.set(key, kind === 'put' ? result.revisions[index]! : 0)
      }
    } else if (result?.kind === 'refused') {
      for (const { key, current } of result.failures) this.#seen.set(key, current ?? 0)
    }
    return result?.kind === 'committed' || result?.kind === 'refused'
  }

  async #result(store: RemoteStore, call: StoreCall): Promise<CommitResult | undefined> {
    try {
      const answer = await store.call(call)
      if (answer.kind === 'committed' || answer.kind === 'refused') return answer
      throw new Error(`a commit was answered with ${answer.kind}`)
    } catch (error) {
      if (error instanceof StoreGone) return undefined
      if (!(error instanceof StoreFailed)) throw error
      this.#judge(error)
      return error.failure === 'unknown-outcome' || error.failure === 'bug' ? undefined : { kind: 'failed' }
    }
  }

  async #ask(store: RemoteStore, call: StoreCall): Promise<Answer | undefined> {
    try {
      return await store.call(call)
    } catch (error) {
      if (error instanceof StoreFailed) this.#judge(error)
      else if (!(error instanceof StoreGone)) throw error
      return undefined
    }
  }

  #judge({ failure, message }: StoreFailed): void {
    if (['unavailable', 'unknown-outcome', 'closed', 'expired'].includes(failure)) return
    this.#options.surprised(`${failure}: ${message}`)
  }

  #operation(key: string): WrittenOperation {
    const known = this.#seen.get(key)
    const value = `${this.#options.number}.${this.#written++}`
    const chance = this.#options.random()
    // Deletes expect an existing key, because deleting an absent key leaves no trace to check.
    if (known !== undefined && known > 0 && chance < 0.15) {
      return { kind: 'delete', key, value, expect: chance < 0.05 ? 'present' : known }
    }
    return { kind: 'put', key, value, expect: this.#expectation(key) }
  }

  #expectation(key: string): Expected {
    const known = this.#seen.get(key)
    const chance = this.#options.random()
    if (chance < 0.25) return 'any'
    if (known === undefined) return chance < 0.6 ? 'absent' : 'present'
    return known === 0 ? 'absent' : known
  }

  #key(space: string): string {
    return `${space}/k${String(Math.floor(this.#options.random() * this.#options.keys)).padStart(3, '0')}`
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#options.random() * list.length)]!
  }
}
