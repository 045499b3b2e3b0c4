import type { Duplex } from 'node:stream'
import { areTurnsShared } from './shared-turns.ts'

/** How much may wait here before the socket is told to wait, in bytes. */
const enough = 128 * 1024

/**
 * Hands on what a socket receives; while turns of the event loop are shared, one piece in each of them. Then a client that sends hundreds
 * of requests at once is heard bit by bit, and whoever sends a single one meanwhile is heard in the same turn.
 */
export class Intake {
  readonly #socket: Duplex
  readonly #take: (piece: Buffer) => void
  readonly #waiting: Buffer[] = []
  #bytes = 0
  #hadTurn = false

  constructor(socket: Duplex, take: (piece: Buffer) => void) {
    this.#socket = socket
    this.#take = take
  }

  receive(piece: Buffer): void {
    if (!this.#hadTurn) {
      this.#hadTurn = areTurnsShared()
      if (this.#hadTurn) nextTurn(this)
      this.#take(piece)
      return
    }
    this.#waiting.push(piece)
    this.#bytes += piece.length
    if (this.#bytes > enough) this.#socket.pause()
  }

  /** Another turn has begun. */
  goOn(): void {
    const piece = this.#waiting.shift()
    if (piece === undefined) {
      this.#hadTurn = false
      return
    }
    nextTurn(this)
    this.#bytes -= piece.length
    if (this.#socket.isPaused() && this.#bytes <= enough / 2) this.#socket.resume()
    this.#take(piece)
  }
}

let served: Intake[] = []

function nextTurn(intake: Intake): void {
  if (served.push(intake) === 1) setImmediate(beginTurn)
}

function beginTurn(): void {
  const those = served
  served = []
  for (const intake of those) intake.goOn()
}
