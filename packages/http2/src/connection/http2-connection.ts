import type { Duplex } from 'node:stream'
import {
  checkPing,
  FrameReader,
  flagAck,
  flagEndStream,
  flagPadded,
  frame,
  frameTypes,
  type Http2CodeName,
  Http2Error,
  http2CodeName,
  http2Codes,
  isSettingsAck,
  largestWindow,
  numberFrame,
  readGoaway,
  readReset,
  readSettings,
  readWindowUpdate,
} from '../frames/index.ts'
import { type HeaderField, HpackDecoder } from '../hpack/index.ts'
import type { ConnectionEvents } from './connection-events.ts'
import {
  type CompleteConnectionOptions,
  type ConnectionOptions,
  completeConnectionOptions,
} from './connection-options.ts'
import { DiscardedBody } from './discarded-body.ts'
import { FloodGuard } from './flood-guard.ts'
import { FrameWriter } from './frame-writer.ts'
import { HeaderBlocks, paddingOf } from './header-blocks.ts'
import { Http2Stream, type StreamEvents } from './http2-stream.ts'
import { Intake } from './intake.ts'
import { goawayFrame, initialFrames } from './lifecycle-frames.ts'
import { ReceiveWindow } from './receive-window.ts'
import { Sender } from './sender.ts'
import { StreamTable } from './stream-table.ts'

/**
 * An HTTP/2 connection over a socket, for clients and servers: framing, header compression, flow control. It handles
 * streams and bytes; requests and gRPC messages belong to its callers. A protocol violation by the peer resets the
 * stream or closes the connection with the error code of RFC 9113; methods do not throw.
 */
export class Http2Connection {
  readonly #socket: Duplex
  readonly #events: ConnectionEvents
  readonly #options: CompleteConnectionOptions
  readonly #isServer: boolean
  readonly #writer: FrameWriter
  readonly #sender: Sender
  readonly #reader: FrameReader
  readonly #blocks: HeaderBlocks
  readonly #guard: FloodGuard
  readonly #streams: StreamTable
  readonly #receiveWindow: ReceiveWindow
  readonly #intake: Intake
  #peerMaxStreams = Number.POSITIVE_INFINITY
  #settled = false
  #goingAway = false
  #closing = false
  #closed = false
  #failure: Error | undefined

  constructor(socket: Duplex, options: ConnectionOptions, events: ConnectionEvents) {
    this.#socket = socket
    this.#events = events
    this.#options = completeConnectionOptions(options)
    const { scheduler } = this.#options
    this.#isServer = options.role === 'server'
    this.#guard = new FloodGuard(options.floodLimits)
    this.#streams = new StreamTable(this.#isServer, this.#guard)
    this.#writer = new FrameWriter(scheduler, socket, () => this.#sender.pumpAll())
    this.#receiveWindow = new ReceiveWindow(this.#writer, this.#options.connectionWindow)
    this.#sender = new Sender(scheduler.bulk, this.#writer, {
      ended: (stream) => this.#endLocal(stream),
      tinyFrame: () => this.#attempt(() => this.#guard.count('tiny window updates')),
    })
    this.#reader = new FrameReader(this.#frame, { expectsPreface: this.#isServer })
    // The peer may use a table of the default size until our SETTINGS reach it.
    const largestTable = Math.max(4096, this.#options.headerTable)
    const { largestHeaders } = this.#options
    const decoder = new HpackDecoder({ largestTable, largestList: largestHeaders })
    this.#blocks = new HeaderBlocks(decoder, largestHeaders, this.#headers)
    for (const each of initialFrames(this.#options)) this.#writer.write(each)
    this.#writer.flush()
    this.#intake = new Intake(scheduler, socket, this.#received)
    // A server throttles what it reads, because any client may send any amount. A client reads only responses it asked
    // for.
    if (this.#isServer) socket.on('data', (chunk: Buffer) => this.#intake.receive(chunk))
    else socket.on('data', this.#received)
    socket.on('error', (error) => this.#lost(error))
    socket.on('end', () => this.#lost(new Error('the peer closed the connection')))
    socket.on('close', () => this.#lost(new Error('the connection was closed')))
  }

  /** True when a client may open another stream now. */
  get hasRoom(): boolean {
    return this.#settled && !this.#goingAway && !this.#closed && this.#streams.size < this.#peerMaxStreams
  }

  /** True when no stream can be opened any more. */
  get isFinished(): boolean {
    return this.#closed || this.#goingAway || this.#closing
  }

  /** True once the peer's first SETTINGS arrived. */
  get isSettled(): boolean {
    return this.#settled
  }

  /** Number of open streams. */
  get openStreams(): number {
    return this.#streams.size
  }

  /** Bytes queued in streams until the peer's windows or the socket have room. */
  get queued(): number {
    return this.#sender.queued
  }

  /** True while the peer has data left to read. With {@link progress} this detects a stalled peer. */
  get isWaiting(): boolean {
    return this.#sender.queued > 0 || this.#writer.backlog > 0
  }

  /** Grows with every byte the peer reads. */
  get progress(): number {
    return this.#writer.progress - this.#sender.queued
  }

  /** Opens a stream with an encoded header block. Call it only when {@link hasRoom}. */
  open(block: Uint8Array, events: StreamEvents, endStream = false): Http2Stream {
    const id = this.#streams.takeId()
    const stream = new Http2Stream(id, events, this.#sender.streamWindow, this.#options.streamWindow)
    // Stream ids are exhausted: the owner must open another connection.
    if (this.#streams.isExhausted) this.#goingAway = true
    this.#streams.add(stream)
    this.sendHeaders(stream, block, endStream)
    return stream
  }

  sendHeaders(stream: Http2Stream, block: Uint8Array, endStream: boolean): void {
    if (!stream.localEnded && !this.#closed) this.#sender.headers(stream, block, endStream)
  }

  /**
   * Sends bytes now, or when the windows have room; `end` closes this side of the stream. The caller must not change
   * the bytes until the stream has drained.
   */
  send(stream: Http2Stream, bytes: Uint8Array, end: boolean, prefix: Uint8Array = noBytes): void {
    if (stream.localEnded || this.#closed) return
    this.#sender.data(stream, prefix, bytes, end)
    if (this.#sender.queued > this.#options.largestQueue)
      this.#fail(new Http2Error('ENHANCE_YOUR_CALM', 'the peer does not read its responses'))
  }

  /** Enlarges the stream's receive window by `length` bytes. */
  widen(stream: Http2Stream, length: number): void {
    if (length <= 0 || stream.remoteEnded || this.#closed) return
    stream.receiveWindow += length
    this.#writer.write(numberFrame(frameTypes.WINDOW_UPDATE, stream.id, length))
  }

  /**
   * Marks bytes as processed. They are returned to the peer once half of the window is used, to send few
   * WINDOW_UPDATEs.
   */
  consume(stream: Http2Stream, length: number): void {
    stream.unreturned += length
    if (stream.unreturned < this.#options.streamWindow / 2) return
    this.widen(stream, stream.unreturned)
    stream.unreturned = 0
  }

  /** Resets a stream; its handler is not called again. */
  reset(stream: Http2Stream, code: number): void {
    if (!this.#streams.has(stream.id) || this.#closed) return
    this.#resetId(stream.id, code)
    this.#forget(stream)
  }

  /**
   * Resets a stream because the peer violated one of its rules. Counts against the flood limit, whose error closes the
   * connection; call it only from a stream event.
   */
  resetForViolation(stream: Http2Stream, code: Http2CodeName): void {
    this.#guard.count('protocol violations')
    this.reset(stream, http2Codes[code])
  }

  /** Graceful shutdown: sends GOAWAY, lets open streams finish, then closes. */
  close(): void {
    if (this.#closing || this.#closed) return
    this.#closing = true
    this.#sendGoaway(http2Codes.NO_ERROR, '')
    // These have their whole response.
    for (const stream of [...this.#streams.all()])
      if (stream.localEnded && this.#isServer) this.reset(stream, http2Codes.NO_ERROR)
    this.#endIfIdle()
  }

  /** Closes immediately. */
  destroy(error?: Error): void {
    this.#failure ??= error
    this.#closing ||= error === undefined
    this.#writer.flush()
    this.#socket.destroy()
    this.#lost(error ?? new Error('the connection was closed'))
  }

  #sendGoaway(code: number, reason: string): void {
    this.#writer.write(goawayFrame(this.#streams.lastPeerId, code, reason))
    this.#writer.flush()
  }

  // --- receiving ---

  readonly #received = (chunk: Buffer): void => {
    if (!this.#closed && this.#failure === undefined) this.#attempt(() => this.#reader.push(chunk))
  }

  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  readonly #frame = (type: number, flags: number, id: number, bytes: Buffer, start: number, end: number): boolean => {
    const { unfinished } = this.#blocks
    if (unfinished !== undefined && (type !== frameTypes.CONTINUATION || id !== unfinished))
      throw new Http2Error('PROTOCOL_ERROR', 'another frame inside of a header block')
    if (!this.#settled && (type !== frameTypes.SETTINGS || (flags & flagAck) !== 0))
      throw new Http2Error('PROTOCOL_ERROR', 'the first frame is not SETTINGS')
    switch (type) {
      case frameTypes.DATA:
        this.#onData(flags, id, bytes, start, end)
        break
      case frameTypes.HEADERS:
        this.#blocks.begin(flags, id, bytes, start, end)
        break
      case frameTypes.CONTINUATION:
        this.#blocks.append(flags, bytes.subarray(start, end))
        break
      case frameTypes.WINDOW_UPDATE:
        this.#onWindowUpdate(id, bytes.subarray(start, end))
        break
      case frameTypes.SETTINGS:
        this.#onSettings(flags, id, bytes.subarray(start, end))
        break
      case frameTypes.PING:
        this.#onPing(flags, id, bytes.subarray(start, end))
        break
      case frameTypes.RST_STREAM:
        this.#onReset(id, bytes.subarray(start, end))
        break
      case frameTypes.GOAWAY:
        this.#onGoaway(id, bytes.subarray(start, end))
        break
      case frameTypes.PRIORITY:
        this.#onPriority(id, end - start)
        break
      case frameTypes.PUSH_PROMISE:
        throw new Http2Error('PROTOCOL_ERROR', 'PUSH_PROMISE is not enabled')
      default:
        this.#guard.count('frames of unknown types')
    }
    return !this.#closed && this.#failure === undefined
  }

  #onData(flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    const length = end - start
    // DATA of closed streams counts against the connection's window too, or both sides would disagree on it.
    this.#receiveWindow.take(length)
    const stream = this.#streams.get(id)
    if (stream === undefined) {
      this.#streams.checkForgotten(id, 'data')
      return
    }
    if (stream.remoteEnded) {
      this.#violation(stream, 'STREAM_CLOSED')
      return
    }
    stream.receiveWindow -= length
    if (stream.receiveWindow < 0) throw new Http2Error('FLOW_CONTROL_ERROR', 'more was sent than the window allows')
    const padding = (flags & flagPadded) === 0 ? -1 : paddingOf(bytes, start, end)
    const data = padding < 0 ? bytes.subarray(start, end) : bytes.subarray(start + 1, end - padding)
    const isLast = (flags & flagEndStream) !== 0
    if (data.length === 0 && !isLast) this.#guard.count('empty DATA frames')
    if (isLast) stream.remoteEnded = true
    // Padding counts against the window, but the handler never sees it.
    if (padding >= 0) this.consume(stream, padding + 1)
    stream.events.data(data, isLast)
    if (isLast) this.#endedBoth(stream)
  }

  readonly #headers = (id: number, fields: readonly HeaderField[], endStream: boolean): void => {
    const stream = this.#streams.get(id)
    if (stream === undefined) {
      if (!this.#isServer) this.#streams.checkForgotten(id, 'headers')
      else if (this.#streams.isNew(id)) this.#opened(id, fields, endStream)
      else this.#streams.checkOpenedBefore(id)
      return
    }
    // A client's second header block is its trailers, which must end the stream.
    if (stream.remoteEnded) {
      this.#violation(stream, 'STREAM_CLOSED')
      return
    }
    if (this.#isServer && !endStream) {
      this.#violation(stream, 'PROTOCOL_ERROR')
      return
    }
    if (endStream) stream.remoteEnded = true
    stream.events.headers(fields, endStream)
    if (endStream) this.#endedBoth(stream)
  }

  #opened(id: number, fields: readonly HeaderField[], endStream: boolean): void {
    // The stream is added before the handler is asked, because the handler may answer, or reset it, at once.
    this.#streams.noteOpened(id)
    if (!this.#closing && this.#streams.size < this.#options.maxStreams) {
      const stream = new Http2Stream(id, noEvents, this.#sender.streamWindow, this.#options.streamWindow)
      stream.remoteEnded = endStream
      this.#streams.add(stream)
      const events = this.#events.opened(stream, fields, endStream)
      if (events !== undefined) {
        stream.events = events
        return
      }
      if (!this.#streams.remove(id)) return
      stream.localEnded = true
    }
    if (!this.#closing) this.#guard.count('concurrent streams')
    this.#resetId(id, http2Codes.REFUSED_STREAM)
  }

  #onSettings(flags: number, id: number, content: Buffer): void {
    if (isSettingsAck((flags & flagAck) !== 0, id, content)) return
    const { headerTable, maxStreams, streamWindow, frameSize } = readSettings(content)
    if (frameSize !== undefined) this.#sender.frameSize = frameSize
    if (maxStreams !== undefined) this.#peerMaxStreams = maxStreams
    if (headerTable !== undefined) this.#events.headerTable?.(headerTable)
    if (streamWindow !== undefined) this.#sender.resize(streamWindow, this.#streams.all())
    this.#answer(frame(frameTypes.SETTINGS, flagAck, 0, noBytes), 'settings')
    this.#settled = true
    this.#events.ready()
    this.#sender.pumpAll()
  }

  #onWindowUpdate(id: number, content: Buffer): void {
    const increment = readWindowUpdate(content)
    if (id === 0) {
      if (increment === 0) throw new Http2Error('PROTOCOL_ERROR', 'a window update of 0')
      this.#sender.widen(undefined, increment)
      return
    }
    const stream = this.#streams.get(id)
    if (stream === undefined) this.#streams.checkWasOpen(id)
    else if (increment === 0) this.#violation(stream, 'PROTOCOL_ERROR')
    else if (stream.sendWindow + increment > largestWindow) this.#violation(stream, 'FLOW_CONTROL_ERROR')
    else this.#sender.widen(stream, increment)
  }

  #onPing(flags: number, id: number, content: Buffer): void {
    checkPing(id, content)
    if ((flags & flagAck) === 0) this.#answer(frame(frameTypes.PING, flagAck, 0, content), 'pings')
  }

  #onReset(id: number, content: Buffer): void {
    const code = readReset(content)
    const stream = this.#streams.get(id)
    if (stream === undefined) {
      this.#streams.checkWasOpen(id)
      return
    }
    this.#guard.count('stream resets')
    this.#forget(stream)
    stream.events.reset(code)
  }

  #onPriority(id: number, length: number): void {
    if (id === 0) throw new Http2Error('PROTOCOL_ERROR', 'a priority for stream 0')
    this.#guard.count('priorities')
    const stream = this.#streams.get(id)
    if (length === 5) return
    if (stream === undefined) throw new Http2Error('FRAME_SIZE_ERROR', 'a priority of a wrong length')
    this.#violation(stream, 'FRAME_SIZE_ERROR')
  }

  #onGoaway(id: number, content: Buffer): void {
    const { last, code, reason } = readGoaway(id, content)
    const error = new Error(
      `the peer accepts no more streams (${http2CodeName(code)}${reason === '' ? '' : `: ${reason}`})`,
    )
    this.#goingAway = true
    // The peer did not process streams above `last`: their requests can be retried elsewhere.
    if (!this.#isServer) {
      for (const stream of this.#streams.all()) if (stream.id > last) this.#lose(stream, error, true)
    }
    this.#events.goingAway(error)
    this.#endIfIdle()
  }

  // Answers to PING and SETTINGS must not pile up while the peer reads nothing.
  #answer(bytes: Buffer, what: string): void {
    this.#guard.count(what)
    if (this.#writer.backlog > largestBacklog)
      throw new Http2Error('ENHANCE_YOUR_CALM', 'the peer does not read its responses')
    this.#writer.write(bytes)
  }

  #violation(stream: Http2Stream, code: Http2CodeName): void {
    this.resetForViolation(stream, code)
    stream.events.reset(http2Codes[code])
  }

  // --- ending ---

  #endLocal(stream: Http2Stream): void {
    stream.localEnded = true
    if (!this.#isServer || stream.remoteEnded) this.#endedBoth(stream)
    // A server that has sent its whole response does not need the rest of the request: NO_ERROR asks the client to stop
    // sending (RFC 9113, section 8.1).
    else if (stream.discardable === 0 || this.#closing) this.reset(stream, http2Codes.NO_ERROR)
    else stream.events = new DiscardedBody(this, stream)
  }

  #endedBoth(stream: Http2Stream): void {
    if (stream.localEnded && stream.remoteEnded) this.#forget(stream)
  }

  #resetId(id: number, code: number): void {
    this.#streams.noteReset(id)
    this.#writer.write(numberFrame(frameTypes.RST_STREAM, id, code))
  }

  #forget(stream: Http2Stream): void {
    if (!this.#streams.remove(stream.id)) return
    stream.localEnded = true
    this.#sender.forget(stream)
    this.#events.streamEnded()
    if (this.#closing || this.#goingAway) this.#endIfIdle()
  }

  #lose(stream: Http2Stream, error: Error, neverProcessed: boolean): void {
    this.#forget(stream)
    stream.events.lost(error, neverProcessed)
  }

  #endIfIdle(): void {
    if (this.#streams.size > 0 || this.#closed || !(this.#closing || this.#goingAway)) return
    this.#closing = true
    this.#writer.flush()
    this.#socket.end()
    // The peer may never close its half.
    setTimeout(() => this.#socket.destroy(), 1000).unref()
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined || this.#closed) return
    this.#failure = error
    const code = error instanceof Http2Error ? http2Codes[error.code] : http2Codes.INTERNAL_ERROR
    this.#sendGoaway(code, error.message)
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), 1000).unref()
    this.#lost(error)
  }

  #lost(error: Error): void {
    if (this.#closed) return
    this.#closed = true
    this.#writer.close()
    // A protocol violation is the better explanation than the socket error that follows it.
    const cause = this.#failure ?? error
    for (const stream of this.#streams.all()) this.#lose(stream, cause, false)
    ;(this.#socket as { destroySoon?: () => void }).destroySoon?.()
    this.#events.closed(this.#closing && this.#failure === undefined ? undefined : cause)
  }
}

const noBytes = new Uint8Array(0)
const largestBacklog = 1 << 20

const noEvents: StreamEvents = { headers() {}, data() {}, reset() {}, lost() {} }
