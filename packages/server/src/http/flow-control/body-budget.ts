import { tooManyRequests } from '@hykube/machinery/status'
import type { BodyMeter } from '../front/index.ts'
import { type FlowUser, isExempt } from './flow-user.ts'

export interface BodyBudgetOptions {
  /** Memory for the bodies of one user's unanswered requests, in bytes. Default 64 MiB. */
  readonly bytesPerUser?: number
  /** Memory for the bodies of all users but `system:masters`, in bytes. Default 512 MiB. */
  readonly bytes?: number
  /** Unanswered requests with a body of one user. Default 2,000. */
  readonly bodiesPerUser?: number
  /** Unanswered requests with a body of all users but `system:masters`. Default 20,000. */
  readonly bodies?: number
}

/** A request whose body can be read. */
export interface BodySource {
  body(meter: BodyMeter): Promise<Uint8Array>
}

/**
 * Reads bodies before their requests take a seat, and bounds the memory that they take until their requests are
 * answered. An unfinished body counts against its user alone.
 */
export class BodyBudget {
  readonly #perUser: Usage
  readonly #overall: Usage
  readonly #users = new Map<string, Usage>()
  readonly #total: Usage = { bodies: 0, bytes: 0 }

  constructor(options: BodyBudgetOptions = {}) {
    this.#perUser = { bodies: options.bodiesPerUser ?? 2000, bytes: options.bytesPerUser ?? 64 << 20 }
    this.#overall = { bodies: options.bodies ?? 20_000, bytes: options.bytes ?? 512 << 20 }
  }

  /** Bodies of requests that are not answered yet, and the memory they take. */
  get load(): Readonly<Usage> {
    return this.#total
  }

  /** Reads a whole body. Gives what releases its share; rejects with 429 when a limit is reached. */
  async read(user: FlowUser, request: BodySource): Promise<() => void> {
    const shared = isExempt(user) ? undefined : this.#total
    const own = this.#of(user.name)
    const taken: Usage = { bodies: 0, bytes: 0 }
    const take = (bodies: number, bytes: number) => {
      taken.bodies += bodies
      taken.bytes += bytes
      add(own, bodies, bytes)
      if (shared !== undefined) add(shared, bodies, bytes)
    }
    const release = () => {
      take(-taken.bodies, -taken.bytes)
      if (own.bodies === 0) this.#users.delete(user.name)
    }
    try {
      this.#check(own, shared, 1, 0)
      take(1, 0)
      await request.body((bytes) => {
        this.#check(own, shared, 0, bytes)
        take(0, bytes)
      })
      return release
    } catch (error) {
      release()
      throw error
    }
  }

  #of(user: string): Usage {
    let usage = this.#users.get(user)
    if (usage === undefined) {
      usage = { bodies: 0, bytes: 0 }
      this.#users.set(user, usage)
    }
    return usage
  }

  #check(own: Usage, shared: Usage | undefined, bodies: number, bytes: number): void {
    if (exceeds(own, this.#perUser, bodies, bytes) || (shared && exceeds(shared, this.#overall, bodies, bytes)))
      throw tooManyRequests('too many unfinished request bodies, please try again later', 1)
  }
}

interface Usage {
  bodies: number
  bytes: number
}

function add(usage: Usage, bodies: number, bytes: number): void {
  usage.bodies += bodies
  usage.bytes += bytes
}

function exceeds(usage: Usage, limit: Usage, bodies: number, bytes: number): boolean {
  return usage.bodies + bodies > limit.bodies || usage.bytes + bytes > limit.bytes
}
