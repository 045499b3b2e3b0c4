import type { HeaderField } from '../hpack/index.ts'

/** Handler of a stream's events. Calls come in order, none after the stream ended. */
export interface StreamEvents {
  /** Headers, or trailers when they follow data. */
  headers(fields: readonly HeaderField[], endStream: boolean): void
  /**
   * Data received. The buffer is a view into a larger chunk, which stays alive as long as the view. Call
   * Http2Connection.consume once it is processed, or the peer runs out of window.
   */
  data(bytes: Buffer, endStream: boolean): void
  /** The peer reset the stream, or violated a rule and was reset by this side. */
  reset(code: number): void
  /**
   * The connection ended. `neverProcessed` means that the peer certainly did not act on the stream, so a retry is safe.
   */
  lost(error: Error, neverProcessed: boolean): void
}

/** State of one stream. Only its connection and the connection's sender change it. */
export class Http2Stream {
  readonly id: number
  events: StreamEvents
  /** Bytes that may still be sent; negative after the peer reduced its initial window. */
  sendWindow: number
  /** Bytes the peer may still send. */
  receiveWindow: number
  /** Consumed bytes not yet returned to the peer with a WINDOW_UPDATE. */
  unreturned = 0
  /** Bytes of the request that a server still receives and drops after its response. 0 resets the stream at once. */
  discardable = 0
  localEnded = false
  remoteEnded = false
  readonly queue: { bytes: Uint8Array; end: boolean }[] = []
  #drainWaiters: (() => void)[] | undefined

  constructor(id: number, events: StreamEvents, sendWindow: number, receiveWindow: number) {
    this.id = id
    this.events = events
    this.sendWindow = sendWindow
    this.receiveWindow = receiveWindow
  }

  /** Bytes queued until the peer's window or the socket has room. */
  get pending(): number {
    let bytes = 0
    for (const each of this.queue) bytes += each.bytes.length
    return bytes
  }

  /** Resolves when everything queued was written to the socket, or dropped because the stream ended. */
  drained(): Promise<void> {
    if (this.queue.length === 0) return settled
    return new Promise((resolve) => {
      this.#drainWaiters ??= []
      this.#drainWaiters.push(resolve)
    })
  }

  wakeDrainWaiters(): void {
    const waiters = this.#drainWaiters
    if (waiters === undefined) return
    this.#drainWaiters = undefined
    for (const wake of waiters) wake()
  }
}

const settled = Promise.resolve()
