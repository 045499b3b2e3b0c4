/**
 * Bytes of queued DATA sent per event-loop turn over all connections of a scheduler, with and without contention. 256 KiB cost
 * about a millisecond of TLS encryption.
 */
const bytesWhenContended = 64 * 1024
const bytesOtherwise = 256 * 1024

/** A connection that has queued data left after the budget of this turn was used up. */
export interface BulkSender {
  /** Sends as much queued data as the windows, the socket and the budget allow. */
  pumpAll(): void
}

/**
 * Budget for long bodies, shared by all connections of a scheduler and renewed every event-loop turn, so that short
 * responses and new requests never wait behind a long transfer. Senders that found it used up are served first in the
 * next turn.
 */
export class BulkAllowance {
  readonly #isContended: () => boolean
  #left = bytesOtherwise
  #renewing = false
  #waiting = new Set<BulkSender>()

  constructor(isContended: () => boolean) {
    this.#isContended = isContended
  }

  /** True when no more queued data may be sent in this turn. */
  get isSpent(): boolean {
    return this.#left <= 0
  }

  take(bytes: number): void {
    this.#left -= bytes
    if (this.#renewing) return
    this.#renewing = true
    setImmediate(this.#renew)
  }

  /** Registers a sender to be pumped when the budget is renewed. */
  queueForNextTurn(sender: BulkSender): void {
    this.#waiting.add(sender)
  }

  readonly #renew = (): void => {
    this.#renewing = false
    this.#left = this.#isContended() ? bytesWhenContended : bytesOtherwise
    const waiting = this.#waiting
    this.#waiting = new Set()
    for (const sender of waiting) sender.pumpAll()
  }
}
