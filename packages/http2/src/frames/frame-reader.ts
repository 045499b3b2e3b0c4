import { clientPreface, defaultFrameSize, frameHeaderLength } from './frame.ts'
import { Http2Error } from './http2-error.ts'

/** Receives one frame; the content is `bytes[start, end)`. Returns false to stop reading. */
export type FrameSink = (type: number, flags: number, id: number, bytes: Buffer, start: number, end: number) => boolean

/** Splits the byte stream of a socket into frames. */
export class FrameReader {
  readonly #sink: FrameSink
  #rest: Buffer | undefined
  #prefaceLeft: number

  constructor(sink: FrameSink, options: { readonly expectsPreface: boolean }) {
    this.#sink = sink
    this.#prefaceLeft = options.expectsPreface ? clientPreface.length : 0
  }

  /** Throws Http2Error when the bytes violate the framing rules. */
  push(chunk: Buffer): void {
    const start = this.#prefaceLeft > 0 ? this.#preface(chunk) : 0
    if (this.#rest === undefined) this.#frames(chunk, start)
    else this.#frames(Buffer.concat([this.#rest, chunk]), 0)
  }

  #preface(chunk: Buffer): number {
    const done = clientPreface.length - this.#prefaceLeft
    const length = Math.min(this.#prefaceLeft, chunk.length)
    if (!chunk.subarray(0, length).equals(clientPreface.subarray(done, done + length)))
      throw new Http2Error('PROTOCOL_ERROR', 'this is not HTTP/2')
    this.#prefaceLeft -= length
    return length
  }

  #frames(bytes: Buffer, position: number): void {
    this.#rest = undefined
    while (bytes.length - position >= frameHeaderLength) {
      const length = (bytes[position]! << 16) | (bytes[position + 1]! << 8) | bytes[position + 2]!
      if (length > defaultFrameSize) throw new Http2Error('FRAME_SIZE_ERROR', `a frame of ${length} bytes is too large`)
      const start = position + frameHeaderLength
      const end = start + length
      if (bytes.length < end) break
      if (!this.#sink(bytes[position + 3]!, bytes[position + 4]!, idAt(bytes, position + 5), bytes, start, end)) return
      position = end
    }
    // Copied, so that a partial frame does not keep the whole received chunk alive.
    if (position < bytes.length) this.#rest = Buffer.copyBytesFrom(bytes, position)
  }
}

function idAt(bytes: Buffer, at: number): number {
  return ((bytes[at]! & 0x7f) << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
}
