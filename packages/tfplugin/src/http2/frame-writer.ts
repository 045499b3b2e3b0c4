import type { Duplex } from 'node:stream'

/**
 * Collects what is to be sent and hands it to the socket once a turn of the event loop, so that many small frames cost
 * one system call. Large pieces are sent as they are, without being copied.
 */
export class FrameWriter {
  readonly #socket: Duplex
  #chunk = Buffer.allocUnsafeSlow(chunkSize)
  /** What lies before was handed over and is never written again. */
  #start = 0
  #end = 0
  #ready: Uint8Array[] = []
  #scheduled = false
  #closed = false

  constructor(socket: Duplex) {
    this.#socket = socket
  }

  /** Bytes that wait in the socket for the other side to read. */
  get backlog(): number {
    return this.#socket.writableLength
  }

  /** Room for so many bytes, at most {@link largestRoom}, to be filled at once: the place in {@link chunk}. */
  room(length: number): number {
    if (this.#end + length > chunkSize) this.#renew()
    const at = this.#end
    this.#end += length
    this.#schedule()
    return at
  }

  get chunk(): Buffer {
    return this.#chunk
  }

  write(bytes: Uint8Array): void {
    if (bytes.length <= largestRoom) {
      const at = this.room(bytes.length)
      this.#chunk.set(bytes, at)
    } else {
      this.#close()
      this.#ready.push(bytes)
      this.#schedule()
    }
  }

  /** Hands everything over now. */
  flush = (): void => {
    this.#scheduled = false
    if (this.#closed || this.#socket.destroyed) return
    this.#close()
    const ready = this.#ready
    if (ready.length === 0) return
    this.#ready = []
    if (ready.length === 1) this.#socket.write(ready[0])
    else {
      this.#socket.cork()
      for (const bytes of ready) this.#socket.write(bytes)
      this.#socket.uncork()
    }
  }

  /** Nothing more is sent. */
  close(): void {
    this.#closed = true
    this.#ready = []
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.flush)
  }

  // What was written so far becomes a piece of its own.
  #close(): void {
    if (this.#end === this.#start) return
    this.#ready.push(this.#chunk.subarray(this.#start, this.#end))
    this.#start = this.#end
  }

  #renew(): void {
    this.#close()
    this.#chunk = Buffer.allocUnsafeSlow(chunkSize)
    this.#start = 0
    this.#end = 0
  }
}

const chunkSize = 65_536
/** The most that one piece of room can be. */
export const largestRoom = 20_000
