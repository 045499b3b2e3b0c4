import { flagEndHeaders, flagEndStream, flagPadded, flagPriority } from './frame.ts'
import type { HeaderField } from './header-field.ts'
import type { HpackDecoder } from './hpack-decoder.ts'
import { Http2Error } from './http2-error.ts'

/** Who is given the fields of a block once it is whole. */
export type HeadersSink = (id: number, fields: readonly HeaderField[], endStream: boolean) => void

/** Puts header blocks together: a frame that begins one and those that go on. */
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

  /** The stream whose headers are not whole yet: nothing else may come in between. */
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
    if (start > end) throw new Http2Error('FRAME_SIZE_ERROR', 'headers that are too short')
    const endStream = (flags & flagEndStream) !== 0
    // Decoded even when nobody wants them: later headers may build on these.
    if ((flags & flagEndHeaders) !== 0) this.#sink(id, this.#decoder.decode(bytes, start, end), endStream)
    else this.#open = { id, endStream, parts: [Buffer.copyBytesFrom(bytes, start, end - start)], size: end - start }
  }

  goOn(flags: number, part: Buffer): void {
    const block = this.#open
    if (block === undefined) throw new Http2Error('PROTOCOL_ERROR', 'headers are continued that did not begin')
    block.parts.push(Buffer.copyBytesFrom(part))
    block.size += part.length
    if (block.size > this.#largest || block.parts.length > mostParts)
      throw new Http2Error('ENHANCE_YOUR_CALM', 'the headers are too large')
    if ((flags & flagEndHeaders) === 0) return
    this.#open = undefined
    this.#sink(block.id, this.#decoder.decode(Buffer.concat(block.parts)), block.endStream)
  }
}

const mostParts = 64

/** How much of a frame is padding, without the byte that says so. */
export function paddingOf(bytes: Buffer, start: number, end: number): number {
  const padding = start < end ? bytes[start]! : 256
  if (padding >= end - start) throw new Http2Error('PROTOCOL_ERROR', 'more padding than frame')
  return padding
}
