import { flagEndHeaders, flagEndStream, flagPadded, flagPriority, Http2Error } from '../frames/index.ts'
import type { HeaderField, HpackDecoder } from '../hpack/index.ts'

/** Receives the decoded fields of a complete header block. */
export type HeadersSink = (id: number, fields: readonly HeaderField[], endStream: boolean) => void

/** Assembles header blocks from a HEADERS frame and its CONTINUATION frames, and decodes them. */
export class HeaderBlocks {
  readonly #decoder: HpackDecoder
  readonly #largest: number
  readonly #sink: HeadersSink
  #open: { readonly id: number; readonly endStream: boolean; readonly parts: Buffer[]; size: number } | undefined

  constructor(decoder: HpackDecoder, largest: number, sink: HeadersSink) {
    this.#decoder = decoder
    this.#largest = largest
    this.#sink = sink
  }

  /** Id of the stream whose header block is incomplete. RFC 9113 allows no other frame until its last CONTINUATION. */
  get unfinished(): number | undefined {
    return this.#open?.id
  }

  begin(flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    if (id === 0) throw new Http2Error('PROTOCOL_ERROR', 'headers for stream 0')
    if ((flags & flagPadded) !== 0) {
      end -= paddingOf(bytes, start, end)
      start += 1
    }
    if ((flags & flagPriority) !== 0) start += 5
    if (start > end) throw new Http2Error('FRAME_SIZE_ERROR', 'a HEADERS frame that is too short')
    const endStream = (flags & flagEndStream) !== 0
    // Decoded even for a stream that is gone: the block may change the HPACK table that later blocks refer to.
    if ((flags & flagEndHeaders) !== 0) this.#sink(id, this.#decoder.decode(bytes, start, end), endStream)
    else this.#open = { id, endStream, parts: [Buffer.copyBytesFrom(bytes, start, end - start)], size: end - start }
  }

  append(flags: number, part: Buffer): void {
    const block = this.#open
    if (block === undefined) throw new Http2Error('PROTOCOL_ERROR', 'a CONTINUATION frame without HEADERS')
    block.parts.push(Buffer.copyBytesFrom(part))
    block.size += part.length
    if (block.size > this.#largest || block.parts.length > maxParts)
      throw new Http2Error('ENHANCE_YOUR_CALM', 'the headers are too large')
    if ((flags & flagEndHeaders) === 0) return
    this.#open = undefined
    this.#sink(block.id, this.#decoder.decode(Buffer.concat(block.parts)), block.endStream)
  }
}

// With the default frame size 64 frames are 1 MiB; more, smaller frames are an attack (CVE-2024-27316).
const maxParts = 64

/** Returns the length of a frame's padding, without the length byte itself. */
export function paddingOf(bytes: Buffer, start: number, end: number): number {
  const padding = start < end ? bytes[start]! : 256
  if (padding >= end - start) throw new Http2Error('PROTOCOL_ERROR', 'more padding than frame')
  return padding
}
