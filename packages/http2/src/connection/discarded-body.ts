import { http2Codes } from '../frames/index.ts'
import type { Http2Stream, StreamEvents } from './http2-stream.ts'

/**
 * Receives the rest of a request that was answered before its end, and drops it. Some clients, curl among them, lose the response
 * when RST_STREAM reaches them while they send. The stream is reset with NO_ERROR (RFC 9113, section 8.1) only when the client sends
 * more than allowed, or does not finish in time.
 */
export class DiscardedBody implements StreamEvents {
  readonly #connection: StreamControl
  readonly #stream: Http2Stream
  readonly #timer: NodeJS.Timeout
  #allowed: number

  constructor(connection: StreamControl, stream: Http2Stream) {
    this.#connection = connection
    this.#stream = stream
    this.#allowed = stream.discardable
    this.#timer = setTimeout(() => this.#giveUp(), discardTimeout).unref()
    // One byte more than allowed, so that a client that exceeds the limit is noticed, and not only blocked by the window.
    connection.widen(stream, stream.discardable + 1 - stream.receiveWindow)
  }

  data(bytes: Buffer, endStream: boolean): void {
    this.#allowed -= bytes.length
    if (endStream) clearTimeout(this.#timer)
    else if (this.#allowed < 0) this.#giveUp()
  }

  headers(): void {
    clearTimeout(this.#timer)
  }

  reset(): void {
    clearTimeout(this.#timer)
  }

  lost(): void {
    clearTimeout(this.#timer)
  }

  #giveUp(): void {
    clearTimeout(this.#timer)
    this.#connection.reset(this.#stream, http2Codes.NO_ERROR)
  }
}

/** The operations of a connection that this needs. */
interface StreamControl {
  widen(stream: Http2Stream, length: number): void
  reset(stream: Http2Stream, code: number): void
}

const discardTimeout = 5000
