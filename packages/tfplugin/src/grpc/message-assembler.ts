import { GrpcError } from './grpc-error.ts'

/** Bytes that the incomplete messages of all calls of a connection hold, and their limit. */
export interface HeldBytes {
  now: number
  readonly most: number
}

/**
 * Splits a stream's bytes into length-prefixed messages. It allocates only for bytes received, never for an announced
 * length.
 */
export class MessageAssembler {
  readonly #largest: number
  readonly #shared: HeldBytes
  #parts: Buffer[] = []
  #held = 0
  /** Leading parts that are already joined into blocks, and bytes in the parts after them. */
  #blocks = 0
  #loose = 0
  /** Length of the current message with its prefix; 0 until the five prefix bytes arrived. */
  #needed = 0

  constructor(largest: number, shared: HeldBytes = { now: 0, most: Number.POSITIVE_INFINITY }) {
    this.#largest = largest
    this.#shared = shared
  }

  /** True when an incomplete message is buffered. */
  get isPartial(): boolean {
    return this.#held > 0
  }

  /**
   * Adds bytes and calls `onMessage` for each completed message. Throws GrpcError when the bytes violate the framing or
   * a limit.
   */
  push(bytes: Buffer, onMessage: (message: Uint8Array) => void): void {
    if (this.#held === 0) bytes = this.#completeMessages(bytes, onMessage)
    if (bytes.length === 0) return
    this.#hold(bytes)
    if (this.#needed === 0 && this.#held >= prefix) this.#needed = this.#lengthOf(this.#joined()) + prefix
    if (this.#needed === 0 || this.#held < this.#needed) return
    const rest = this.#joined()
    this.release()
    this.push(rest, onMessage)
  }

  /** Drops the buffered bytes and returns them to the shared limit. */
  release(): void {
    this.#shared.now -= this.#held
    this.#parts = []
    this.#held = 0
    this.#blocks = 0
    this.#loose = 0
    this.#needed = 0
  }

  #hold(bytes: Buffer): void {
    this.#parts.push(bytes)
    this.#held += bytes.length
    this.#shared.now += bytes.length
    this.#loose += bytes.length
    if (this.#loose >= block) this.#joinLoose()
    const { now, most } = this.#shared
    if (now > most)
      throw new GrpcError('RESOURCE_EXHAUSTED', `incomplete responses hold ${now} bytes, more than the ${most} allowed`)
  }

  // Small parts are joined into blocks of 1 MiB: thousands of small buffers that live as long as a large message
  // fragment the heap.
  #joinLoose(): void {
    this.#parts.push(Buffer.concat(this.#parts.splice(this.#blocks), this.#loose))
    this.#blocks++
    this.#loose = 0
  }

  #completeMessages(bytes: Buffer, onMessage: (message: Uint8Array) => void): Buffer {
    while (bytes.length >= prefix) {
      const end = this.#lengthOf(bytes) + prefix
      if (bytes.length < end) break
      // A plain Uint8Array, because Buffer.slice() does not copy, unlike Uint8Array.slice(), which decoders rely on.
      onMessage(new Uint8Array(bytes.buffer, bytes.byteOffset + prefix, end - prefix))
      bytes = bytes.subarray(end)
    }
    return bytes
  }

  #lengthOf(bytes: Buffer): number {
    if (bytes[0] !== 0)
      throw new GrpcError('UNIMPLEMENTED', 'a message is compressed, but compression was not negotiated')
    const length = bytes.readUInt32BE(1)
    if (length > this.#largest)
      throw new GrpcError(
        'RESOURCE_EXHAUSTED',
        `a message of ${length} bytes is larger than the ${this.#largest} allowed`,
      )
    return length
  }

  #joined(): Buffer {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts, this.#held)]
    return this.#parts[0]!
  }
}

const prefix = 5
const block = 1 << 20
/** Maximum message size of Terraform's plugin protocol: 256 MiB. */
export const defaultLargestMessage = 256 * 1024 * 1024
