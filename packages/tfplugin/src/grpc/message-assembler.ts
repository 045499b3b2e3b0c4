import { GrpcError } from './grpc-error.ts'

/** What all calls of a connection hold together of messages that have begun to arrive, and may hold. In bytes. */
export interface HeldBytes {
  now: number
  readonly most: number
}

/** Cuts the bytes of a stream into messages. Never holds more than was sent, whatever length was announced. */
export class MessageAssembler {
  readonly #largest: number
  readonly #shared: HeldBytes
  #parts: Buffer[] = []
  #held = 0
  /** How many of the parts were put together already, and how many bytes are in the others. */
  #blocks = 0
  #loose = 0
  /** Of the message being put together, with its five bytes in front; 0 while they are not there yet. */
  #needed = 0

  constructor(largest: number, shared: HeldBytes = { now: 0, most: Number.POSITIVE_INFINITY }) {
    this.#largest = largest
    this.#shared = shared
  }

  /** Whether bytes are here that are no whole message. */
  get isPartial(): boolean {
    return this.#held > 0
  }

  /** Takes bytes and hands over each message that they complete. Throws GrpcError when they can't be messages. */
  push(bytes: Buffer, onMessage: (message: Uint8Array) => void): void {
    if (this.#held === 0) bytes = this.#wholeOnes(bytes, onMessage)
    if (bytes.length === 0) return
    this.#hold(bytes)
    if (this.#needed === 0 && this.#held >= prefix) this.#needed = this.#lengthOf(this.#joined()) + prefix
    if (this.#needed === 0 || this.#held < this.#needed) return
    const rest = this.#joined()
    this.release()
    this.push(rest, onMessage)
  }

  /** Lets go of what is held: nobody waits for it any more. */
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
      throw new GrpcError('RESOURCE_EXHAUSTED', `answers under way hold ${now} bytes, more than the ${most} allowed`)
  }

  // Thousands of small pieces that live as long as a large message leave holes in the memory that stay.
  #joinLoose(): void {
    this.#parts.push(Buffer.concat(this.#parts.splice(this.#blocks), this.#loose))
    this.#blocks++
    this.#loose = 0
  }

  #wholeOnes(bytes: Buffer, onMessage: (message: Uint8Array) => void): Buffer {
    while (bytes.length >= prefix) {
      const end = this.#lengthOf(bytes) + prefix
      if (bytes.length < end) break
      // Not a Buffer: slices of those are no copies, which surprises whoever decodes the message.
      onMessage(new Uint8Array(bytes.buffer, bytes.byteOffset + prefix, end - prefix))
      bytes = bytes.subarray(end)
    }
    return bytes
  }

  #lengthOf(bytes: Buffer): number {
    if (bytes[0] !== 0) throw new GrpcError('UNIMPLEMENTED', 'a message is compressed, which nobody asked for')
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
/** What plugins accept: 256 MiB. */
export const defaultLargestMessage = 256 * 1024 * 1024
