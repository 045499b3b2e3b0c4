import { hash } from 'node:crypto'
import { type Clock, systemClock } from '@hykube/machinery/base'
import { ProviderFailure } from '@hykube/provider-sdk/provider'
import type { World, WorldObject } from './world.ts'

export interface CloudOptions {
  readonly world: World
  /** How long every call takes, in milliseconds. */
  readonly latency: number
  /** Which part of creates, updates and deletes fails, from 0 to 1. */
  readonly failureRate: number
  /** The process dies after it has made this many changes and before it has answered the last; undefined: never. */
  readonly crashAfter?: number
  /** Decides which calls fail. */
  readonly seed: number
  readonly clock?: Clock
  /** How the process dies; by default at once, as from `kill -9`. */
  readonly crash?: () => void
}

/** The simulated cloud: a world behind calls that take their time and may fail. */
export class Cloud {
  readonly #options: CloudOptions
  readonly #attempts = new Map<string, number>()
  #changes = 0

  constructor(options: CloudOptions) {
    this.#options = options
  }

  get world(): World {
    return this.#options.world
  }

  /** The id of what this token makes: the same for the same token, so that a repeated create is no second object. */
  idFor(prefix: string, token: string): string {
    return `${prefix}-${hash('sha256', token).slice(0, 16)}`
  }

  async read(type: string, id: string, wait: Wait): Promise<WorldObject | undefined> {
    await this.#pass(wait)
    return this.#options.world.read(type, id)
  }

  async readMany(type: string, ids: readonly string[], wait: Wait): Promise<readonly (WorldObject | undefined)[]> {
    await this.#pass(wait)
    return this.#options.world.readMany(type, ids)
  }

  /** Makes changes of one type, with one wait for all of them. Each comes out by itself, in their order. */
  async change(type: string, changes: readonly WantedChange[], wait: Wait): Promise<readonly ChangeOutcome[]> {
    const { world } = this.#options
    await this.#pass(wait)
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
    const refused = await this.#write(type, writes)
    return refused.size === 0 ? outcomes : outcomes.map((outcome, i) => refused.get(changes[i]!.id) ?? outcome)
  }

  close(): void {
    this.#options.world.close()
  }

  // Those after which it dies are made, and no others. Gives those that the world refused.
  async #write(type: string, writes: readonly Write[]): Promise<ReadonlyMap<string, ProviderFailure>> {
    const { world, crashAfter = Number.POSITIVE_INFINITY, crash = killSelf } = this.#options
    const isLast = this.#changes < crashAfter && this.#changes + writes.length >= crashAfter
    const made = isLast ? writes.slice(0, crashAfter - this.#changes) : writes
    const refused = made.length > 0 ? await writeEach(world, type, made) : new Map<string, ProviderFailure>()
    this.#changes += made.length
    if (isLast) crash()
    return refused
  }

  // By what is asked for and how often it was, so that the order in which calls arrive decides nothing.
  #fails({ kind, subject }: WantedChange, type: string): boolean {
    const { failureRate, seed } = this.#options
    if (failureRate <= 0) return false
    const call = `${kind} ${type} ${subject()}`
    const attempt = this.#attempts.get(call) ?? 0
    this.#attempts.set(call, attempt + 1)
    const digest = hash('sha256', `${seed} ${attempt} ${call}`, 'buffer')
    return digest.readUInt32BE(0) / 2 ** 32 < failureRate
  }

  async #pass({ signal, times = 1 }: Wait): Promise<void> {
    const { latency, clock = systemClock } = this.#options
    if (latency > 0) await clock.sleep(latency * times, signal)
  }
}

/** An object as it is to be, or undefined for one that goes. */
type Write = readonly [id: string, object: WorldObject | undefined]

// All at once; where the world refuses that, each by itself, so that one does not spoil the others.
async function writeEach(
  world: World,
  type: string,
  writes: readonly Write[],
): Promise<ReadonlyMap<string, ProviderFailure>> {
  const refused = new Map<string, ProviderFailure>()
  try {
    await world.writeMany(type, writes)
  } catch (error) {
    if (writes.length === 1) throw error
    for (const write of writes)
      await world.writeMany(type, [write]).catch((why: Error) => {
        refused.set(write[0], new ProviderFailure(why.message))
      })
  }
  return refused
}

/** A change that somebody asks for. The subject tells it from others, whatever id a new object gets. */
export type WantedChange = { readonly id: string; readonly subject: () => string } & (
  | { readonly kind: 'create'; readonly object: WorldObject }
  /** Fields that are null go. */
  | { readonly kind: 'update'; readonly fields: WorldObject }
  | { readonly kind: 'delete' }
)

/** The object as it is then; undefined once it is gone. */
export type ChangeOutcome = WorldObject | undefined | ProviderFailure

// What the same token made before is given again, and is no second object.
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
    detail: `The simulated cloud refused to ${verb} ${type}, as failure_rate asks for. Trying again may succeed.`,
  })
}

function killSelf(): void {
  process.kill(process.pid, 'SIGKILL')
}

/** How a call waits. */
export interface Wait {
  readonly signal: AbortSignal
  /** How many times the usual latency it takes. Default 1. */
  readonly times?: number
}
