import type { Duplex } from 'node:stream'

/**
 * Collects what is to be sent and hands it to the socket once a turn of the event loop, so that many small frames cost
 * one system call. Says when the other side does not keep up, so that nothing piles up here.
 */
export class FrameWriter {
  readonly #socket: Duplex
  #chunk: Buffer | undefined
  #end = 0
  #scheduled = false
  #closed = false
  #handedOver = 0

  /** `drained` is called when a socket that was congested is not any more. */
  constructor(socket: Duplex, drained: () => void) {
    this.#socket = socket
    socket.on('drain', drained)
  }

  /** Bytes that wait in the socket for the other side to read. */
  get backlog(): number {
    return this.#socket.writableLength
  }

  /** Whether so much waits in the socket that nothing should be added that can wait elsewhere. */
  get isCongested(): boolean {
    return this.#socket.writableNeedDrain && this.#socket.writableLength > enoughBacklog
  }

  /** How many bytes were handed to the socket and taken from it, ever: what grows while the other side reads. */
  get progress(): number {
    return this.#handedOver - this.#socket.writableLength
  }

  /** How much room the present piece has left; less than {@link largestRoom} can still be had, in the next. */
  get left(): number {
    return this.#chunk === undefined ? chunkSize : chunkSize - this.#end
  }

  /** Room for so many bytes, at most {@link largestRoom}, to be filled at once: the place in {@link chunk}. */
  room(length: number): number {
    if (this.#chunk === undefined) this.#chunk = pool.pop() ?? Buffer.allocUnsafeSlow(chunkSize)
    else if (this.#end + length > chunkSize) {
      this.#handOver()
      this.#chunk = pool.pop() ?? Buffer.allocUnsafeSlow(chunkSize)
    }
    const at = this.#end
    this.#end += length
    if (!this.#scheduled) {
      this.#scheduled = true
      if (waiting.push(this) === 1) setImmediate(flushWriters)
    }
    return at
  }

  get chunk(): Buffer {
    return this.#chunk!
  }

  /** Writes bytes, at most {@link largestRoom} of them. */
  write(bytes: Uint8Array): void {
    const at = this.room(bytes.length)
    this.chunk.set(bytes, at)
  }

  /** Hands everything over now. */
  flush(): void {
    this.#scheduled = false
    this.#handOver()
  }

  /** Nothing more is sent. */
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
      giveBack(chunk)
      return
    }
    this.#handedOver += end
    // A few bytes must not hold a whole piece while the other side does not read them.
    if (end <= smallest) {
      this.#socket.write(Buffer.copyBytesFrom(chunk, 0, end))
      giveBack(chunk)
    } else this.#socket.write(chunk.subarray(0, end), () => giveBack(chunk))
  }
}

/** Hands over now what all connections have to send, rather than at the end of this turn. */
export function flushWriters(): void {
  const writers = waiting
  waiting = []
  for (const writer of writers) writer.flush()
}

let waiting: FrameWriter[] = []

const chunkSize = 65_536
const smallest = 4096
const enoughBacklog = 128 * 1024
/** The most that one piece of room can be. */
export const largestRoom = 20_000

// Pieces that were sent are written again, for whichever connection.
const pool: Buffer[] = []

function giveBack(chunk: Buffer): void {
  if (pool.length < 64) pool.push(chunk)
}
