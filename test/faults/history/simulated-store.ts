import type { Expected, History, LoggedChange, Snapshot, WrittenOperation } from './history.ts'
import { Recorder } from './recorder.ts'

/** A bug planted in the simulation to prove that the checker finds it. */
export type Bug =
  | 'answers-before-commit'
  | 'skips-log-row'
  | 'lost-update'
  | 'writes-twice'
  | 'reorders-revisions'
  | 'stale-read'
  | 'stale-scan'
  | 'tears-group'
  | 'fails-but-writes'
  | 'follower-misses'
  | 'follower-repeats'
  | 'follower-reorders'
  | 'forgets-at-restart'
  | 'wrong-previous'

export interface SimulationOptions {
  readonly calls: number
  readonly seed: number
  readonly clients?: number
  readonly keys?: number
  /** Occurs once, in the middle of the run. Default: none. */
  readonly bug?: Bug
}

/**
 * Simulates an in-memory store with concurrent clients, some of which are cut off by crashes, and returns the history.
 */
export function simulateHistory(options: SimulationOptions): History {
  return new Simulation(options).run()
}

interface Version {
  readonly revision: number
  readonly value: string
}

class Simulation {
  readonly #options: SimulationOptions
  readonly #random: () => number
  readonly #recorder = new Recorder()
  readonly #state = new Map<string, Version>()
  readonly #log: LoggedChange[] = []
  #revision = 0
  #value = 0
  #bug: Bug | undefined
  #stale: { readonly state: Map<string, Version>; readonly revision: number } | undefined

  constructor(options: SimulationOptions) {
    this.#options = options
    this.#random = randomNumbers(options.seed)
  }

  run(): History {
    const { calls, clients = 8 } = this.#options
    const open: (undefined | { effect: () => () => void; answer?: () => void })[] = Array(clients).fill(undefined)
    while (this.#recorder.size < calls) {
      if (this.#recorder.size === Math.floor(calls / 4)) this.#remember()
      if (this.#recorder.size === Math.floor(calls / 2)) this.#bug = this.#options.bug
      const client = Math.floor(this.#random() * clients)
      const call = open[client]
      if (call === undefined) open[client] = { effect: this.#begin(client) }
      else if (call.answer === undefined) call.answer = call.effect()
      else {
        // When a crash loses the response, the client starts over but the effect remains. The response that exposes a
        // bug is never lost.
        if (this.#random() > 0.02 || (this.#options.bug && this.#recorder.size > calls / 2)) call.answer()
        open[client] = undefined
      }
    }
    for (const call of open) (call?.answer ?? call?.effect())?.()
    return this.#history()
  }

  #remember(): void {
    this.#stale = { state: new Map(this.#state), revision: this.#revision }
  }

  #begin(client: number): () => () => void {
    const kind = this.#random()
    if (kind < 0.3) return this.#get(client)
    if (kind < 0.35) return this.#scan(client)
    if (kind < 0.4) return this.#now(client)
    return this.#commit(client)
  }

  #get(client: number): () => () => void {
    const key = this.#key()
    const answered = this.#recorder.begin(client, { kind: 'get', key })
    return () => {
      const entry = this.#readable('stale-read', key).state.get(key)
      return () => answered({ found: entry ?? 'absent' })
    }
  }

  #scan(client: number): () => () => void {
    const answered = this.#recorder.begin(client, { kind: 'scan', prefix: 'a/' })
    return () => {
      const { state, revision } = this.#readable('stale-scan', undefined)
      const found = snapshot(state, revision, 'a/')
      return () => answered({ found })
    }
  }

  #now(client: number): () => () => void {
    const answered = this.#recorder.begin(client, { kind: 'now' })
    return () => {
      const revision = this.#revision
      return () => answered({ revision })
    }
  }

  #readable(bug: Bug, key: string | undefined): { state: Map<string, Version>; revision: number } {
    const now = { state: this.#state, revision: this.#revision }
    const differs = key === undefined || this.#stale?.state.get(key)?.revision !== this.#state.get(key)?.revision
    return this.#stale !== undefined && differs && this.#happens(bug) ? this.#stale : now
  }

  #commit(client: number): () => () => void {
    const keys = [...new Set([this.#key(), ...(this.#random() < 0.3 ? [this.#key(), this.#key('b')] : [])])]
    const operations = keys.map((key) => this.#operation(key))
    const answered = this.#recorder.begin(client, { kind: 'commit', operations })
    return () => {
      const failures = operations
        .filter(({ key, expect }) => !holds(expect, this.#state.get(key)?.revision))
        .map(({ key }) => ({ key, ...current(this.#state.get(key)) }))
      if (failures.length > 0 && !(failures.every(({ key }) => key.startsWith('a/')) && this.#happens('lost-update'))) {
        return () => answered({ outcome: { kind: 'refused', failures } })
      }
      return this.#carryOut(operations, answered)
    }
  }

  #carryOut(operations: WrittenOperation[], answered: ReturnType<Recorder['begin']>): () => void {
    const first = this.#revision + 1
    const committed = () =>
      answered({ outcome: { kind: 'committed', revisions: operations.map((_, index) => first + index) } })
    if (this.#happens('answers-before-commit')) {
      this.#revision += operations.length
      return committed
    }
    if (operations.length > 1 && this.#happens('tears-group')) {
      this.#apply(operations.slice(0, 1))
      return () => {}
    }
    this.#apply(operations)
    if (this.#happens('writes-twice')) this.#apply(operations)
    if (this.#happens('fails-but-writes')) return () => answered({ outcome: { kind: 'failed' } })
    if (operations[0]!.kind === 'put' && this.#happens('forgets-at-restart')) {
      for (const { key } of operations) this.#state.delete(key)
    }
    return committed
  }

  #apply(operations: readonly WrittenOperation[]): void {
    for (const { kind, key, value } of operations) {
      const revision = ++this.#revision
      const previous = this.#state.get(key)?.revision
      if (kind === 'put') this.#state.set(key, { revision, value })
      else this.#state.delete(key)
      if (!key.startsWith('a/') || this.#happens('skips-log-row')) continue
      const said = previous !== undefined && this.#happens('wrong-previous') ? undefined : previous
      this.#log.push({ kind, revision, key, value, ...(said === undefined ? {} : { previous: said }) })
      if (this.#log.length > 1 && this.#happens('reorders-revisions')) swapLast(this.#log)
    }
  }

  #operation(key: string): WrittenOperation {
    const known = this.#state.get(key)?.revision
    const value = `value-${this.#value++}`
    const chance = this.#random()
    if (known === undefined) return { kind: 'put', key, value, expect: chance < 0.5 ? 'absent' : 'any' }
    if (chance < 0.2) return { kind: 'delete', key, value, expect: known }
    return { kind: 'put', key, value, expect: chance < 0.3 ? 'any' : chance < 0.35 ? 'absent' : known }
  }

  #key(space = 'a'): string {
    return `${space}/${Math.floor(this.#random() * (this.#options.keys ?? 20))}`
  }

  #happens(bug: Bug): boolean {
    if (this.#bug !== bug) return false
    this.#bug = undefined
    return true
  }

  #history(): History {
    const changes = this.#log.filter(() => true)
    const middle = Math.floor(changes.length / 2)
    if (this.#happens('follower-misses')) changes.splice(middle, 1)
    if (this.#happens('follower-repeats')) changes.splice(middle, 0, changes[middle]!)
    if (this.#happens('follower-reorders'))
      [changes[middle], changes[middle + 1]] = [changes[middle + 1]!, changes[middle]!]
    return this.#recorder.history({
      log: this.#log,
      followers: [{ name: 'follower 1', after: 0, changes, reached: this.#revision }],
      final: snapshot(this.#state, this.#revision, ''),
      spacesWithoutHistory: ['b'],
    })
  }
}

function snapshot(state: ReadonlyMap<string, Version>, revision: number, prefix: string): Snapshot {
  const keys = [...state.keys()].filter((key) => key.startsWith(prefix)).sort()
  return { revision, entries: keys.map((key) => ({ key, ...state.get(key)! })) }
}

function swapLast(log: LoggedChange[]): void {
  const [a, b] = log.splice(-2)
  log.push({ ...b!, revision: a!.revision }, { ...a!, revision: b!.revision })
}

function holds(expect: Expected, revision: number | undefined): boolean {
  if (expect === 'any') return true
  if (expect === 'absent') return revision === undefined
  return expect === 'present' ? revision !== undefined : revision === expect
}

function current(version: Version | undefined): { readonly current?: number } {
  return version === undefined ? {} : { current: version.revision }
}

/** Pseudo-random numbers in [0, 1) from a seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
