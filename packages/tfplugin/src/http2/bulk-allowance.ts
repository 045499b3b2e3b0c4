import { areTurnsShared } from './shared-turns.ts'

/** How much of what waits in queues is sent in one turn of the event loop, in company and alone: up to a millisecond of encryption. */
const bytesInCompany = 64 * 1024
const bytesAlone = 256 * 1024

/** Somebody who has more to send than a turn allows. */
export interface BulkSender {
  /** There is more to be had. */
  pumpAll(): void
}

/**
 * What all connections together may send of long bodies in one turn of the event loop, so that short answers and new requests
 * never wait for much of it. Whoever got nothing is first in the next turn.
 */
export class BulkAllowance {
  #left = bytesAlone
  #renewing = false
  #waiting = new Set<BulkSender>()

  /** Whether nothing more may be sent in this turn. */
  get isSpent(): boolean {
    return this.#left <= 0
  }

  take(bytes: number): void {
    this.#left -= bytes
    if (this.#renewing) return
    this.#renewing = true
    setImmediate(this.#renew)
  }

  /** Calls the sender in the next turn. */
  await(sender: BulkSender): void {
    this.#waiting.add(sender)
  }

  readonly #renew = (): void => {
    this.#renewing = false
    this.#left = areTurnsShared() ? bytesInCompany : bytesAlone
    const waiting = this.#waiting
    this.#waiting = new Set()
    for (const sender of waiting) sender.pumpAll()
  }
}
