import type { Duplex } from 'node:stream'
import type { ConnectionScheduler } from './connection-scheduler.ts'

/** Bytes queued before the socket is paused. */
const pauseBytes = 128 * 1024

/**
 * Passes on what a socket receives. Under contention it passes one chunk per turn of the event loop: a client that sends
 * hundreds of requests at once is then read gradually, and a single request of another client is read in the same turn.
 */
export class Intake {
  readonly #scheduler: ConnectionScheduler
  readonly #socket: Duplex
  readonly #take: (piece: Buffer) => void
  readonly #waiting: Buffer[] = []
  #bytes = 0
  #hadTurn = false

  constructor(scheduler: ConnectionScheduler, socket: Duplex, take: (piece: Buffer) => void) {
    this.#scheduler = scheduler
    this.#socket = socket
    this.#take = take
  }

  receive(piece: Buffer): void {
    if (!this.#hadTurn) {
      this.#hadTurn = this.#scheduler.isContended
      if (this.#hadTurn) this.#scheduler.readNextTurn(this)
      this.#take(piece)
      return
    }
    this.#waiting.push(piece)
    this.#bytes += piece.length
    if (this.#bytes > pauseBytes) this.#socket.pause()
  }

  /** Passes on the next queued chunk; called at the start of the next turn. */
  beginTurn(): void {
    const piece = this.#waiting.shift()
    if (piece === undefined) {
      this.#hadTurn = false
      return
    }
    this.#scheduler.readNextTurn(this)
    this.#bytes -= piece.length
    if (this.#socket.isPaused() && this.#bytes <= pauseBytes / 2) this.#socket.resume()
    this.#take(piece)
  }
}
