import { createHash } from 'node:crypto'
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
    return `${prefix}-${createHash('sha256').update(token).digest('hex').slice(0, 16)}`
  }

  /** Makes an object, or gives the one that the same token made. The subject is what was asked for, without its id. */
  async create(type: string, id: string, object: WorldObject, wait: Wait & { readonly subject: string }) {
    const existing = await this.#options.world.read(type, id)
    await this.#meddle('create', type, wait.subject, wait)
    if (existing !== undefined) return existing
    await this.#options.world.write(type, id, object)
    this.#changed()
    return object
  }

  async read(type: string, id: string, wait: Wait): Promise<WorldObject | undefined> {
    await this.#pass(wait)
    return this.#options.world.read(type, id)
  }

  async readMany(type: string, ids: readonly string[], wait: Wait): Promise<readonly (WorldObject | undefined)[]> {
    await this.#pass(wait)
    return this.#options.world.readMany(type, ids)
  }

  /** Changes some of an object's fields, and takes away those that are null. Fails when it is gone. */
  async update(type: string, id: string, changes: WorldObject, wait: Wait): Promise<WorldObject> {
    await this.#meddle('update', type, id, wait)
    const existing = await this.#options.world.read(type, id)
    if (existing === undefined) throw new ProviderFailure(`${type} ${id} does not exist`)
    const merged = Object.entries({ ...existing, ...changes })
    const object = Object.fromEntries(merged.filter(([, value]) => value !== null))
    await this.#options.world.write(type, id, object)
    this.#changed()
    return object
  }

  async delete(type: string, id: string, wait: Wait): Promise<void> {
    await this.#meddle('delete', type, id, wait)
    if (await this.#options.world.delete(type, id)) this.#changed()
  }

  close(): void {
    this.#options.world.close()
  }

  async #meddle(verb: string, type: string, subject: string, wait: Wait): Promise<void> {
    await this.#pass(wait)
    if (this.#fails(`${verb} ${type} ${subject}`))
      throw new ProviderFailure('Simulated failure', {
        detail: `The simulated cloud refused to ${verb} ${type}, as failure_rate asks for. Trying again may succeed.`,
      })
  }

  // By what is asked for and how often it was, so that the order in which calls arrive decides nothing.
  #fails(call: string): boolean {
    const { failureRate, seed } = this.#options
    if (failureRate <= 0) return false
    const attempt = this.#attempts.get(call) ?? 0
    this.#attempts.set(call, attempt + 1)
    const digest = createHash('sha256').update(`${seed} ${attempt} ${call}`).digest()
    return digest.readUInt32BE(0) / 2 ** 32 < failureRate
  }

  async #pass({ signal, times = 1 }: Wait): Promise<void> {
    const { latency, clock = systemClock } = this.#options
    if (latency > 0) await clock.sleep(latency * times, signal)
  }

  #changed(): void {
    const { crashAfter, crash = () => process.kill(process.pid, 'SIGKILL') } = this.#options
    this.#changes++
    if (this.#changes === crashAfter) crash()
  }
}

/** How a call waits. */
export interface Wait {
  readonly signal: AbortSignal
  /** How many times the usual latency it takes. Default 1. */
  readonly times?: number
}
