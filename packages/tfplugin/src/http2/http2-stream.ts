import type { HeaderField } from './header-field.ts'

/** Whoever uses a stream hears of it through these; calls come in order, and none after the stream ended. */
export interface StreamEvents {
  /** Headers or trailers. */
  headers(fields: readonly HeaderField[], endStream: boolean): void
  /** Bytes that lie in a larger piece, which lives as long as they are kept. Give them back with consume. */
  data(bytes: Buffer, endStream: boolean): void
  /** The other side gave the stream up, or broke its rules and was told so. */
  reset(code: number): void
  /** The connection ended under it; `neverProcessed`: the other side certainly did nothing with it. */
  lost(error: Error, neverProcessed: boolean): void
}

/** One exchange on a connection: state that belongs to the connection and is changed by it alone. */
export class Http2Stream {
  readonly id: number
  events: StreamEvents
  /** How much may still be sent. Negative when the other side shrank its window. */
  sendWindow: number
  /** How much the other side may still send. */
  receiveWindow: number
  /** Consumed, and not yet given back to the other side. */
  unreturned = 0
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

  /** Bytes that wait for the other side to take more. */
  get pending(): number {
    let bytes = 0
    for (const each of this.queue) bytes += each.bytes.length
    return bytes
  }

  /** Resolves when everything queued was handed to the socket, or will never be. */
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
