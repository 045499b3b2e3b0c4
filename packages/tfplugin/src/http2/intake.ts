import type { Duplex } from 'node:stream'
import { areTurnsShared } from './shared-turns.ts'

/** Bytes queued before the socket is paused. */
const pauseBytes = 128 * 1024

/**
 * Passes on what a socket receives. While turns of the event loop are shared, it passes one chunk per turn: a client
 * that sends hundreds of requests at once is then read gradually, and a single request of another client is read in the
 * same turn.
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
    if (this.#bytes > pauseBytes) this.#socket.pause()
  }

  /** Passes on the next queued chunk; called at the start of the next turn. */
  beginTurn(): void {
    const piece = this.#waiting.shift()
    if (piece === undefined) {
      this.#hadTurn = false
      return
    }
    nextTurn(this)
    this.#bytes -= piece.length
    if (this.#socket.isPaused() && this.#bytes <= pauseBytes / 2) this.#socket.resume()
    this.#take(piece)
  }
}

let served: Intake[] = []

function nextTurn(intake: Intake): void {
  if (served.push(intake) === 1) setImmediate(runTurn)
}

function runTurn(): void {
  const those = served
  served = []
  for (const intake of those) intake.beginTurn()
}
