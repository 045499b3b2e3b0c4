import {
  defaultFrameSize,
  defaultWindow,
  flagEndHeaders,
  flagEndStream,
  frameHeaderLength,
  frameTypes,
  Http2Error,
  largestWindow,
  writeFrameHeader,
} from '../frames/index.ts'
import type { BulkAllowance } from './bulk-allowance.ts'
import { type FrameWriter, maxReservation } from './frame-writer.ts'
import type { Http2Stream } from './http2-stream.ts'

/** Callbacks of a sender to its connection. */
export interface SenderEvents {
  /** The frame with END_STREAM was written. */
  ended(stream: Http2Stream): void
  /** The peer's window allowed only a few bytes; counted against the flood limit. */
  tinyFrame(): void
}

/** Sending half of a connection: writes frames within the peer's flow-control windows, fairly among streams. */
export class Sender {
  readonly #bulk: BulkAllowance
  readonly #writer: FrameWriter
  readonly #events: SenderEvents
  /** Streams with queued data, in the order they are served. */
  readonly #blocked = new Set<Http2Stream>()
  #window = defaultWindow
  #streamWindow = defaultWindow
  #frameSize = defaultFrameSize
  #queued = 0

  constructor(bulk: BulkAllowance, writer: FrameWriter, events: SenderEvents) {
    this.#bulk = bulk
    this.#writer = writer
    this.#events = events
  }

  /** Initial send window of a new stream. */
  get streamWindow(): number {
    return this.#streamWindow
  }

  /** Bytes queued over all streams. */
  get queued(): number {
    return this.#queued
  }

  /** Largest frame content that the peer accepts. */
  set frameSize(size: number) {
    this.#frameSize = size
  }

  headers(stream: Http2Stream, block: Uint8Array, endStream: boolean): void {
    const most = Math.min(this.#frameSize, maxReservation - frameHeaderLength)
    if (block.length <= most) {
      this.#frame(frameTypes.HEADERS, flagEndHeaders | (endStream ? flagEndStream : 0), stream.id, block)
    } else {
      this.#frame(frameTypes.HEADERS, endStream ? flagEndStream : 0, stream.id, block.subarray(0, most))
      for (let start = most; start < block.length; start += most) {
        const flags = start + most >= block.length ? flagEndHeaders : 0
        this.#frame(frameTypes.CONTINUATION, flags, stream.id, block.subarray(start, start + most))
      }
    }
    if (endStream) this.#events.ended(stream)
  }

  /**
   * Sends `prefix` and `bytes`, now or when there is room; `end` closes this side of the stream. The caller must not
   * change `bytes` until the stream has drained; `prefix` is copied.
   */
  data(stream: Http2Stream, prefix: Uint8Array, bytes: Uint8Array, end: boolean): void {
    const length = prefix.length + bytes.length
    if (stream.queue.length === 0 && this.#fits(stream, length)) {
      const at = this.#writer.reserve(frameHeaderLength + length)
      const { chunk } = this.#writer
      writeFrameHeader(chunk, at, length, frameTypes.DATA, end ? flagEndStream : 0, stream.id)
      if (prefix.length > 0) chunk.set(prefix, at + frameHeaderLength)
      chunk.set(bytes, at + frameHeaderLength + prefix.length)
      stream.sendWindow -= length
      this.#window -= length
      if (end) this.#events.ended(stream)
      return
    }
    if (prefix.length > 0) this.#enqueue(stream, Uint8Array.from(prefix), false)
    this.#enqueue(stream, bytes, end)
    if (!this.#blocked.has(stream)) this.#pump(stream, Number.POSITIVE_INFINITY)
  }

  /**
   * Enlarges the send window of a stream, or of the connection when `stream` is undefined. Throws when it exceeds
   * 2^31-1.
   */
  widen(stream: Http2Stream | undefined, increment: number): void {
    if (stream === undefined) {
      this.#window = widened(this.#window, increment)
      this.pumpAll()
      return
    }
    stream.sendWindow = widened(stream.sendWindow, increment)
    if (stream.queue.length === 0) return
    this.#blocked.delete(stream)
    this.#pump(stream, Number.POSITIVE_INFINITY)
  }

  /** Sets the peer's initial stream window, and adjusts the windows of open streams by the difference. */
  resize(window: number, streams: Iterable<Http2Stream>): void {
    if (window > largestWindow) throw new Http2Error('FLOW_CONTROL_ERROR', `a window of ${window} is too large`)
    const difference = window - this.#streamWindow
    this.#streamWindow = window
    for (const stream of streams) stream.sendWindow = widened(stream.sendWindow, difference)
  }

  /** Sends queued data in rounds of {@link turnBytes} per stream, so that no stream waits for another to finish. */
  pumpAll(): void {
    for (let before = -1; before !== this.#queued; ) {
      before = this.#queued
      for (const stream of [...this.#blocked]) {
        if (this.#window <= 0 || this.#mustPause()) return
        this.#blocked.delete(stream)
        this.#pump(stream, turnBytes)
      }
    }
  }

  /** Drops the queued data of a stream. */
  forget(stream: Http2Stream): void {
    this.#blocked.delete(stream)
    for (const { bytes } of stream.queue) this.#queued -= bytes.length
    stream.queue.length = 0
    stream.wakeDrainWaiters()
  }

  #fits(stream: Http2Stream, length: number): boolean {
    return (
      length <= stream.sendWindow &&
      length <= this.#window &&
      length <= this.#frameSize &&
      length <= maxReservation - frameHeaderLength &&
      !this.#writer.isCongested
    )
  }

  #enqueue(stream: Http2Stream, bytes: Uint8Array, end: boolean): void {
    stream.queue.push({ bytes, end })
    this.#queued += bytes.length
  }

  /**
   * Sends queued data of one stream within the windows, at most `share` bytes. A stream with data left rejoins the
   * queue at its end.
   */
  #pump(stream: Http2Stream, share: number): void {
    for (let first = stream.queue[0]; first !== undefined; first = stream.queue[0]) {
      const size = this.#sizeOfNext(stream, first.bytes.length)
      if ((size <= 0 && first.bytes.length > 0) || share <= 0 || this.#mustPause()) {
        this.#blocked.add(stream)
        return
      }
      share -= size
      this.#bulk.take(size)
      this.#queued -= size
      this.#sendPart(stream, first, size)
    }
    stream.wakeDrainWaiters()
  }

  // Sending resumes on the socket's drain event, or when the bulk budget is renewed in the next turn.
  #mustPause(): boolean {
    if (this.#writer.isCongested) return true
    if (this.#bulk.isSpent) this.#bulk.queueForNextTurn(this)
    return this.#bulk.isSpent
  }

  #sendPart(stream: Http2Stream, first: { bytes: Uint8Array; end: boolean }, size: number): void {
    const isWhole = size === first.bytes.length
    const end = isWhole && first.end
    this.#frame(
      frameTypes.DATA,
      end ? flagEndStream : 0,
      stream.id,
      isWhole ? first.bytes : first.bytes.subarray(0, size),
    )
    stream.sendWindow -= size
    this.#window -= size
    if (isWhole) stream.queue.shift()
    else {
      if (size < tinyFrameBytes) this.#events.tinyFrame()
      first.bytes = first.bytes.subarray(size)
    }
    if (end) this.#events.ended(stream)
  }

  // A long body is cut so that it fills the current chunk to its end, unless little space is left there.
  #sizeOfNext(stream: Http2Stream, length: number): number {
    const allowed = Math.min(
      length,
      stream.sendWindow,
      this.#window,
      this.#frameSize,
      maxReservation - frameHeaderLength,
    )
    const left = this.#writer.remaining - frameHeaderLength
    return allowed > left && left >= worthwhileBytes ? left : allowed
  }

  #frame(type: number, flags: number, id: number, content: Uint8Array): void {
    const at = this.#writer.reserve(frameHeaderLength + content.length)
    const { chunk } = this.#writer
    writeFrameHeader(chunk, at, content.length, type, flags, id)
    chunk.set(content, at + frameHeaderLength)
  }
}

const turnBytes = 65_536
const worthwhileBytes = 1024
const tinyFrameBytes = 64

function widened(window: number, increment: number): number {
  if (window + increment > largestWindow) throw new Http2Error('FLOW_CONTROL_ERROR', 'a window exceeds 2^31-1')
  return window + increment
}
