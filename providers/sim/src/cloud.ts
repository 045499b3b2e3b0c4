import { hash } from 'node:crypto'
import { type Clock, systemClock } from '@hykube/machinery/base'
import { ProviderFailure } from '@hykube/provider-sdk/provider'
import type { World, WorldObject } from './world.ts'

export interface CloudOptions {
  readonly world: World
  /** The latency of every call, in milliseconds. */
  readonly latency: number
  /** The fraction of creates, updates and deletes that fail, from 0 to 1. */
  readonly failureRate: number
  /** Crashes after this many changes were stored, before the response to the last one. Undefined: never. */
  readonly crashAfter?: number
  /** Determines which calls fail. */
  readonly seed: number
  readonly clock?: Clock
  /** Crashes the process. Default: SIGKILL to itself. */
  readonly crash?: () => void
}

/** The simulated cloud: a store of objects behind calls with latency and injected failures. */
export class Cloud {
  readonly #options: CloudOptions
  /** The number of attempts so far by call, so that a retry of a failed call can succeed. */
  readonly #attempts = new Map<string, number>()
  #changes = 0

  constructor(options: CloudOptions) {
    this.#options = options
  }

  get world(): World {
    return this.#options.world
  }

  /** Derives the id of a new object from the token, so that a repeated create does not make a second object. */
  idFor(prefix: string, token: string): string {
    return `${prefix}-${hash('sha256', token).slice(0, 16)}`
  }

  async read(type: string, id: string, wait: Wait): Promise<WorldObject | undefined> {
    await this.#delay(wait)
    return this.#options.world.read(type, id)
  }

  async readMany(type: string, ids: readonly string[], wait: Wait): Promise<readonly (WorldObject | undefined)[]> {
    await this.#delay(wait)
    return this.#options.world.readMany(type, ids)
  }

  /** Applies changes of one type with one delay for all of them. Returns one outcome for each, in order. */
  async change(type: string, changes: readonly WantedChange[], wait: Wait): Promise<readonly ChangeOutcome[]> {
    const { world } = this.#options
    await this.#delay(wait)
    // Read first: a create must find the object of an earlier attempt, and an update needs the current fields.
    const known = await world.readMany(
      type,
      changes.map(({ id }) => id),
    )
    const writes: Write[] = []
    const outcomes = changes.map((change, i): ChangeOutcome => {
      if (this.#fails(change, type)) return simulatedFailure(change.kind, type)
      const before = known[i]
      if (change.kind === 'update' && before === undefined)
        return new ProviderFailure(`${type} ${change.id} does not exist`)
      const after = changed(change, before)
      if (after !== before) writes.push([change.id, after])
      return after
    })
    const rejected = await this.#write(type, writes)
    return rejected.size === 0 ? outcomes : outcomes.map((outcome, i) => rejected.get(changes[i]!.id) ?? outcome)
  }

  close(): void {
    this.#options.world.close()
  }

  // Stores the changes up to the crash, if this batch reaches it. Returns the failures of rejected writes by id.
  async #write(type: string, writes: readonly Write[]): Promise<ReadonlyMap<string, ProviderFailure>> {
    const { world, crashAfter = Number.POSITIVE_INFINITY, crash = killSelf } = this.#options
    const isLast = this.#changes < crashAfter && this.#changes + writes.length >= crashAfter
    const stored = isLast ? writes.slice(0, crashAfter - this.#changes) : writes
    const rejected = stored.length > 0 ? await writeEach(world, type, stored) : new Map<string, ProviderFailure>()
    this.#changes += stored.length
    if (isLast) crash()
    return rejected
  }

  // Depends only on the seed, the call and its number of attempts, so that the order of concurrent calls does not matter.
  #fails({ kind, subject }: WantedChange, type: string): boolean {
    const { failureRate, seed } = this.#options
    if (failureRate <= 0) return false
    const call = `${kind} ${type} ${subject()}`
    const attempt = this.#attempts.get(call) ?? 0
    this.#attempts.set(call, attempt + 1)
    const digest = hash('sha256', `${seed} ${attempt} ${call}`, 'buffer')
    return digest.readUInt32BE(0) / 2 ** 32 < failureRate
  }

  async #delay({ signal, times = 1 }: Wait): Promise<void> {
    const { latency, clock = systemClock } = this.#options
    if (latency > 0) await clock.sleep(latency * times, signal)
  }
}

/** An object to store; undefined deletes it. */
type Write = readonly [id: string, object: WorldObject | undefined]

// Writes all objects at once. When the store rejects the batch, writes them one by one, so that only invalid ones fail.
async function writeEach(
  world: World,
  type: string,
  writes: readonly Write[],
): Promise<ReadonlyMap<string, ProviderFailure>> {
  const rejected = new Map<string, ProviderFailure>()
  try {
    await world.writeMany(type, writes)
  } catch (error) {
    if (writes.length === 1) throw error
    for (const write of writes)
      await world.writeMany(type, [write]).catch((why: Error) => {
        rejected.set(write[0], new ProviderFailure(why.message))
      })
  }
  return rejected
}

/** A requested change. `subject` identifies it independently of the random id of a new object. */
export type WantedChange = { readonly id: string; readonly subject: () => string } & (
  | { readonly kind: 'create'; readonly object: WorldObject }
  /** Fields that are null are removed. */
  | { readonly kind: 'update'; readonly fields: WorldObject }
  | { readonly kind: 'delete' }
)

/** The object after the change; undefined when it was deleted. */
export type ChangeOutcome = WorldObject | undefined | ProviderFailure

// A create returns the object that the same token created before, if there is one.
function changed(change: WantedChange, before: WorldObject | undefined): WorldObject | undefined {
  switch (change.kind) {
    case 'create':
      return before ?? change.object
    case 'update': {
      const merged = Object.entries({ ...before, ...change.fields })
      return Object.fromEntries(merged.filter(([, value]) => value !== null))
    }
    case 'delete':
      return undefined
  }
}

function simulatedFailure(verb: string, type: string): ProviderFailure {
  return new ProviderFailure('Simulated failure', {
    detail: `The simulated cloud rejected the ${verb} of ${type}, because failure_rate is set. A retry may succeed.`,
  })
}

function killSelf(): void {
  process.kill(process.pid, 'SIGKILL')
}

/** The delay of a call. */
export interface Wait {
  readonly signal: AbortSignal
  /** A multiple of the latency. Default 1. */
  readonly times?: number
}
