import type { Duplex } from 'node:stream'
import type { ConnectionScheduler } from './connection-scheduler.ts'

/**
 * Collects outgoing frames and writes them to the socket once per event-loop turn, so that many small frames cost one
 * system call. Reports congestion, so that senders keep data in their own queues when the peer is slow.
 */
export class FrameWriter {
  readonly #scheduler: ConnectionScheduler
  readonly #socket: Duplex
  #chunk: Buffer | undefined
  #end = 0
  #scheduled = false
  #closed = false
  #handedOver = 0

  /** Calls `drained` whenever the socket's write buffer has emptied. */
  constructor(scheduler: ConnectionScheduler, socket: Duplex, drained: () => void) {
    this.#scheduler = scheduler
    this.#socket = socket
    socket.on('drain', drained)
  }

  /** Bytes in the socket's write buffer. */
  get backlog(): number {
    return this.#socket.writableLength
  }

  /** True while more than 128 KiB wait in the socket: data that can wait in stream queues should stay there. */
  get isCongested(): boolean {
    return this.#socket.writableNeedDrain && this.#socket.writableLength > congestedBytes
  }

  /** Bytes that left the socket's write buffer since the connection began; grows only while the peer reads. */
  get progress(): number {
    return this.#handedOver - this.#socket.writableLength
  }

  /** Bytes free in the current chunk. A larger reservation, up to {@link maxReservation}, starts a new chunk. */
  get remaining(): number {
    return this.#chunk === undefined ? chunkSize : chunkSize - this.#end
  }

  /**
   * Reserves space in {@link chunk} and returns its offset. The caller fills it before anything else is written. At
   * most {@link maxReservation} bytes.
   */
  reserve(length: number): number {
    if (this.#chunk === undefined) this.#chunk = pool.pop() ?? Buffer.allocUnsafeSlow(chunkSize)
    else if (this.#end + length > chunkSize) {
      this.#handOver()
      this.#chunk = pool.pop() ?? Buffer.allocUnsafeSlow(chunkSize)
    }
    const at = this.#end
    this.#end += length
    if (!this.#scheduled) {
      this.#scheduled = true
      this.#scheduler.flushLater(this)
    }
    return at
  }

  get chunk(): Buffer {
    return this.#chunk!
  }

  /** Copies at most {@link maxReservation} bytes into the current chunk. */
  write(bytes: Uint8Array): void {
    const at = this.reserve(bytes.length)
    this.chunk.set(bytes, at)
  }

  /** Writes the collected frames to the socket now. */
  flush(): void {
    this.#scheduled = false
    this.#handOver()
  }

  /** Discards everything written from now on. */
  close(): void {
    this.#closed = true
  }

  #handOver(): void {
    const chunk = this.#chunk
    if (chunk === undefined) return
    const end = this.#end
    this.#chunk = undefined
    this.#end = 0
    if (this.#closed || this.#socket.destroyed || this.#socket.writableEnded) {
      release(chunk)
      return
    }
    this.#handedOver += end
    // A chunk goes back to the pool when the peer has taken it. Few bytes are copied, so that a slow peer does not hold
    // a whole chunk.
    if (end <= copyLimit) {
      this.#socket.write(Buffer.copyBytesFrom(chunk, 0, end))
      release(chunk)
    } else this.#socket.write(chunk.subarray(0, end), () => release(chunk))
  }
}

const chunkSize = 65_536
const copyLimit = 4096
const congestedBytes = 128 * 1024
/** Largest single reservation; a frame of the default size with its header fits. */
export const maxReservation = 20_000

// Chunks are reused over all connections.
const pool: Buffer[] = []

function release(chunk: Buffer): void {
  if (pool.length < 64) pool.push(chunk)
}
