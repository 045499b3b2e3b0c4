import { ClosedStreams } from './closed-streams.ts'
import type { FloodGuard } from './flood-guard.ts'
import { largestWindow } from './frame.ts'
import { Http2Error } from './http2-error.ts'
import type { Http2Stream } from './http2-stream.ts'

/** The streams of a connection: those that are open, and of the others as much as tells right from wrong. */
export class StreamTable {
  readonly #isServer: boolean
  readonly #guard: FloodGuard
  readonly #open = new Map<number, Http2Stream>()
  readonly #past = new ClosedStreams()
  #nextId = 1
  #lastPeerId = 0

  constructor(isServer: boolean, guard: FloodGuard) {
    this.#isServer = isServer
    this.#guard = guard
  }

  get size(): number {
    return this.#open.size
  }

  /** The last stream that the other side opened. */
  get lastPeerId(): number {
    return this.#lastPeerId
  }

  get(id: number): Http2Stream | undefined {
    return this.#open.get(id)
  }

  has(id: number): boolean {
    return this.#open.has(id)
  }

  add(stream: Http2Stream): void {
    this.#open.set(stream.id, stream)
  }

  /** Whether it was there. */
  remove(id: number): boolean {
    return this.#open.delete(id)
  }

  /** Those that are open now, whatever becomes of them meanwhile. */
  all(): Http2Stream[] {
    return [...this.#open.values()]
  }

  /** The number of the next stream of our own. */
  takeId(): number {
    const id = this.#nextId
    this.#nextId += 2
    return id
  }

  /** Whether numbers have run out, after a billion streams. */
  get isExhausted(): boolean {
    return this.#nextId > largestWindow - 2
  }

  /** We gave a stream up. */
  noteReset(id: number): void {
    this.#past.addReset(id)
  }

  /** Whether a stream of the other side would be a new one. */
  isNew(id: number): boolean {
    return id > this.#lastPeerId
  }

  /** The other side opens a new stream. Throws when the number is not a client's. */
  noteOpened(id: number): void {
    if (id % 2 === 0) throw new Http2Error('PROTOCOL_ERROR', `stream ${id} is not a client's to open`)
    if (id > this.#lastPeerId + 2) this.#past.addGap(this.#lastPeerId + 1, id - 1)
    this.#lastPeerId = id
  }

  /** Checks headers for a stream that is neither open nor new. */
  checkOpenedBefore(id: number): void {
    if (id % 2 === 0 || this.#past.wasPassedOver(id))
      throw new Http2Error('PROTOCOL_ERROR', `stream ${id} comes after a later one`)
    this.checkForgotten(id, 'headers')
  }

  /** Checks something that came for a stream that is not open: it must have been, and be ours to have given up. */
  checkForgotten(id: number, what: string): void {
    this.checkWasOpen(id)
    // Under way when we gave the stream up; a client may have given up streams that the server still answers.
    if (this.#past.wasResetHere(id)) return
    if (this.#isServer) throw new Http2Error('STREAM_CLOSED', `${what} for stream ${id}, which has ended`)
  }

  /** Checks that a stream that is not open was so once. */
  checkWasOpen(id: number): void {
    const highest = this.#isServer ? this.#lastPeerId : this.#nextId - 2
    if (id === 0 || id > highest || id % 2 === 0)
      throw new Http2Error('PROTOCOL_ERROR', `stream ${id} was never opened`)
    this.#guard.count('frames for streams that have ended')
  }
}
