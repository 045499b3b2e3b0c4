import { Http2Error, largestWindow } from '../frames/index.ts'
import { ClosedStreams } from './closed-streams.ts'
import type { FloodGuard } from './flood-guard.ts'
import type { Http2Stream } from './http2-stream.ts'

/** Open streams of a connection, and enough about closed ones to distinguish late frames from protocol violations. */
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

  /** Highest stream id that the peer opened. */
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

  /** Returns false when the stream was not open. */
  remove(id: number): boolean {
    return this.#open.delete(id)
  }

  /** Copy of the open streams, safe to iterate while streams close. */
  all(): Http2Stream[] {
    return [...this.#open.values()]
  }

  /** Allocates the next client stream id; they are odd. */
  takeId(): number {
    const id = this.#nextId
    this.#nextId += 2
    return id
  }

  /** True when the 2^31 ids are used up. */
  get isExhausted(): boolean {
    return this.#nextId > largestWindow - 2
  }

  /** Records that this side reset a stream. */
  noteReset(id: number): void {
    this.#past.addReset(id)
  }

  /** True when the id is higher than any the peer opened before. */
  isNew(id: number): boolean {
    return id > this.#lastPeerId
  }

  /** Records a stream opened by the peer. Throws for ids that clients may not use. */
  noteOpened(id: number): void {
    if (id % 2 === 0) throw new Http2Error('PROTOCOL_ERROR', `stream ${id} is not a client stream id`)
    if (id > this.#lastPeerId + 2) this.#past.addGap(this.#lastPeerId + 1, id - 1)
    this.#lastPeerId = id
  }

  /** Judges HEADERS for a stream that is neither open nor new. Throws unless this side reset it earlier. */
  checkOpenedBefore(id: number): void {
    if (id % 2 === 0 || this.#past.wasPassedOver(id))
      throw new Http2Error('PROTOCOL_ERROR', `stream ${id} was opened after a higher one`)
    this.checkForgotten(id, 'headers')
  }

  /**
   * Judges a frame for a stream that is not open. Throws unless the frame may have been in flight when the stream
   * ended.
   */
  checkForgotten(id: number, what: string): void {
    this.checkWasOpen(id)
    // In flight when this side reset the stream. A client also tolerates frames of streams it already finished.
    if (this.#past.wasResetHere(id)) return
    if (this.#isServer) throw new Http2Error('STREAM_CLOSED', `${what} for stream ${id}, which is closed`)
  }

  /** Throws unless the stream was open at some time. */
  checkWasOpen(id: number): void {
    const highest = this.#isServer ? this.#lastPeerId : this.#nextId - 2
    if (id === 0 || id > highest || id % 2 === 0)
      throw new Http2Error('PROTOCOL_ERROR', `stream ${id} was never opened`)
    this.#guard.count('frames for closed streams')
  }
}
