import type { Duplex } from 'node:stream'
import type { ConnectionEvents } from './connection-events.ts'
import {
  type CompleteConnectionOptions,
  type ConnectionOptions,
  completeConnectionOptions,
} from './connection-options.ts'
import { checkPing, isConfirmation, readFarewell, readReset, readWindowUpdate } from './control-frames.ts'
import { FloodGuard } from './flood-guard.ts'
import { flagAck, flagEndStream, flagPadded, frame, frameTypes, largestWindow, numberFrame } from './frame.ts'
import { FrameReader } from './frame-reader.ts'
import { FrameWriter } from './frame-writer.ts'
import { farewellFrame, greetingFrames } from './greeting.ts'
import { HeaderBlocks, paddingOf } from './header-blocks.ts'
import type { HeaderField } from './header-field.ts'
import { HpackDecoder } from './hpack-decoder.ts'
import { type Http2CodeName, Http2Error, http2CodeName, http2Codes } from './http2-error.ts'
import { Http2Stream, type StreamEvents } from './http2-stream.ts'
import { Intake } from './intake.ts'
import { readSettings } from './peer-settings.ts'
import { ReceiveWindow } from './receive-window.ts'
import { Sender } from './sender.ts'
import { StreamTable } from './stream-table.ts'

/**
 * HTTP/2 over a socket, either side: framing, header compression, flow control. Knows streams and bytes, not requests and
 * messages. A breach of the rules ends the stream or the connection with the code that the standard has for it; nothing
 * throws.
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
    this.#isServer = options.role === 'server'
    this.#guard = new FloodGuard(options.floodLimits)
    this.#streams = new StreamTable(this.#isServer, this.#guard)
    this.#writer = new FrameWriter(socket, () => this.#sender.pumpAll())
    this.#receiveWindow = new ReceiveWindow(this.#writer, this.#options.connectionWindow)
    this.#sender = new Sender(this.#writer, {
      ended: (stream) => this.#endLocal(stream),
      crumb: () => this.#attempt(() => this.#guard.count('windows that grow by next to nothing')),
    })
    this.#reader = new FrameReader(this.#frame, { expectsPreface: this.#isServer })
    // Until our settings have arrived the other side may fill a table of the usual size.
    const largestTable = Math.max(4096, this.#options.headerTable)
    const { largestHeaders } = this.#options
    const decoder = new HpackDecoder({ largestTable, largestList: largestHeaders })
    this.#blocks = new HeaderBlocks(decoder, largestHeaders, this.#headers)
    for (const each of greetingFrames(this.#options)) this.#writer.write(each)
    this.#writer.flush()
    this.#intake = new Intake(socket, this.#received)
    // A client gets what it has asked for; a server, whatever anybody sends.
    if (this.#isServer) socket.on('data', (chunk: Buffer) => this.#intake.receive(chunk))
    else socket.on('data', this.#received)
    socket.on('error', (error) => this.#lost(error))
    socket.on('end', () => this.#lost(new Error('the other side closed the connection')))
    socket.on('close', () => this.#lost(new Error('the connection was closed')))
  }

  /** Whether a client may open another stream now. */
  get hasRoom(): boolean {
    return this.#settled && !this.#goingAway && !this.#closed && this.#streams.size < this.#peerMaxStreams
  }

  /** Whether no stream can be opened any more. */
  get isOver(): boolean {
    return this.#closed || this.#goingAway || this.#closing
  }

  /** Whether the other side has said how it wants to be spoken to. */
  get isSettled(): boolean {
    return this.#settled
  }

  /** How many streams are open. */
  get openStreams(): number {
    return this.#streams.size
  }

  /** Bytes of streams that wait for the other side to take more. */
  get queued(): number {
    return this.#sender.queued
  }

  /** Whether something waits for the other side to read. */
  get isWaiting(): boolean {
    return this.#sender.queued > 0 || this.#writer.backlog > 0
  }

  /** A number that grows with every byte the other side takes. */
  get progress(): number {
    return this.#writer.progress - this.#sender.queued
  }

  /** Opens a stream with these headers. Only when {@link hasRoom}. */
  open(block: Uint8Array, events: StreamEvents, endStream = false): Http2Stream {
    const id = this.#streams.takeId()
    const stream = new Http2Stream(id, events, this.#sender.streamWindow, this.#options.streamWindow)
    // The owner then opens another connection.
    if (this.#streams.isExhausted) this.#goingAway = true
    this.#streams.add(stream)
    this.sendHeaders(stream, block, endStream)
    return stream
  }

  sendHeaders(stream: Http2Stream, block: Uint8Array, endStream: boolean): void {
    if (!stream.localEnded && !this.#closed) this.#sender.headers(stream, block, endStream)
  }

  /** Sends bytes, now or when there is room; with `end` nothing follows. They must not be changed until the stream has drained. */
  send(stream: Http2Stream, bytes: Uint8Array, end: boolean, prefix: Uint8Array = noBytes): void {
    if (stream.localEnded || this.#closed) return
    this.#sender.data(stream, prefix, bytes, end)
    if (this.#sender.queued > this.#options.largestQueue)
      this.#fail(new Http2Error('ENHANCE_YOUR_CALM', 'answers are not being read'))
  }

  /** Lets the other side send so much more on a stream at once. */
  widen(stream: Http2Stream, length: number): void {
    if (length <= 0 || stream.remoteEnded || this.#closed) return
    stream.receiveWindow += length
    this.#writer.write(numberFrame(frameTypes.WINDOW_UPDATE, stream.id, length))
  }

  /** Gives bytes back to the other side, which may then send as many again. */
  consume(stream: Http2Stream, length: number): void {
    stream.unreturned += length
    if (stream.unreturned < this.#options.streamWindow / 2) return
    this.widen(stream, stream.unreturned)
    stream.unreturned = 0
  }

  /** Gives a stream up. Nothing more is heard of it. */
  reset(stream: Http2Stream, code: number): void {
    if (!this.#streams.has(stream.id) || this.#closed) return
    this.#resetId(stream.id, code)
    this.#forget(stream)
  }

  /** Gives a stream up because the other side broke a rule of it. Who does so too often loses the connection. Only from events of the stream. */
  blame(stream: Http2Stream, code: Http2CodeName): void {
    this.#guard.count('breaches of the rules')
    this.reset(stream, http2Codes[code])
  }

  /** Takes no more streams, lets those that are open end, and closes. */
  close(): void {
    if (this.#closing || this.#closed) return
    this.#closing = true
    this.#sayGoodbye(http2Codes.NO_ERROR, '')
    this.#endIfIdle()
  }

  /** Closes now. */
  destroy(error?: Error): void {
    this.#failure ??= error
    this.#closing ||= error === undefined
    this.#writer.flush()
    this.#socket.destroy()
    this.#lost(error ?? new Error('the connection was closed'))
  }

  #sayGoodbye(code: number, reason: string): void {
    this.#writer.write(farewellFrame(this.#streams.lastPeerId, code, reason))
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
      throw new Http2Error('PROTOCOL_ERROR', 'headers are interrupted by another frame')
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
        this.#blocks.goOn(flags, bytes.subarray(start, end))
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
        throw new Http2Error('PROTOCOL_ERROR', 'nobody asked for a push')
      default:
        this.#guard.count('frames of unknown types')
    }
    return !this.#closed && this.#failure === undefined
  }

  #onData(flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    const length = end - start
    this.#receiveWindow.take(length)
    const stream = this.#streams.get(id)
    if (stream === undefined) {
      this.#streams.checkForgotten(id, 'data')
      return
    }
    if (stream.remoteEnded) {
      this.#breach(stream, 'STREAM_CLOSED')
      return
    }
    stream.receiveWindow -= length
    if (stream.receiveWindow < 0) throw new Http2Error('FLOW_CONTROL_ERROR', 'more was sent than the window allows')
    const padding = (flags & flagPadded) === 0 ? -1 : paddingOf(bytes, start, end)
    const data = padding < 0 ? bytes.subarray(start, end) : bytes.subarray(start + 1, end - padding)
    const isLast = (flags & flagEndStream) !== 0
    if (data.length === 0 && !isLast) this.#guard.count('frames of no data')
    if (isLast) stream.remoteEnded = true
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
    if (stream.remoteEnded) {
      this.#breach(stream, 'STREAM_CLOSED')
      return
    }
    if (this.#isServer && !endStream) {
      this.#breach(stream, 'PROTOCOL_ERROR')
      return
    }
    if (endStream) stream.remoteEnded = true
    stream.events.headers(fields, endStream)
    if (endStream) this.#endedBoth(stream)
  }

  #opened(id: number, fields: readonly HeaderField[], endStream: boolean): void {
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
    if (!this.#closing) this.#guard.count('streams at once')
    this.#resetId(id, http2Codes.REFUSED_STREAM)
  }

  #onSettings(flags: number, id: number, content: Buffer): void {
    if (isConfirmation((flags & flagAck) !== 0, id, content)) return
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
      if (increment === 0) throw new Http2Error('PROTOCOL_ERROR', 'a window grows by nothing')
      this.#sender.widen(undefined, increment)
      return
    }
    const stream = this.#streams.get(id)
    if (stream === undefined) this.#streams.checkWasOpen(id)
    else if (increment === 0) this.#breach(stream, 'PROTOCOL_ERROR')
    else if (stream.sendWindow + increment > largestWindow) this.#breach(stream, 'FLOW_CONTROL_ERROR')
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
    this.#guard.count('streams that are opened and given up')
    this.#forget(stream)
    stream.events.reset(code)
  }

  #onPriority(id: number, length: number): void {
    if (id === 0) throw new Http2Error('PROTOCOL_ERROR', 'a priority for stream 0')
    this.#guard.count('priorities')
    const stream = this.#streams.get(id)
    if (length === 5) return
    if (stream === undefined) throw new Http2Error('FRAME_SIZE_ERROR', 'a priority of a wrong length')
    this.#breach(stream, 'FRAME_SIZE_ERROR')
  }

  #onGoaway(id: number, content: Buffer): void {
    const { last, code, reason } = readFarewell(id, content)
    const error = new Error(
      `the other side takes no more calls (${http2CodeName(code)}${reason === '' ? '' : `: ${reason}`})`,
    )
    this.#goingAway = true
    if (!this.#isServer) {
      for (const stream of this.#streams.all()) if (stream.id > last) this.#lose(stream, error, true)
    }
    this.#events.goingAway(error)
    this.#endIfIdle()
  }

  // What is asked for with every frame must not pile up when nobody reads the answers.
  #answer(bytes: Buffer, what: string): void {
    this.#guard.count(what)
    if (this.#writer.backlog > largestBacklog) throw new Http2Error('ENHANCE_YOUR_CALM', 'answers are not being read')
    this.#writer.write(bytes)
  }

  #breach(stream: Http2Stream, code: Http2CodeName): void {
    this.blame(stream, code)
    stream.events.reset(http2Codes[code])
  }

  // --- ending ---

  #endLocal(stream: Http2Stream): void {
    stream.localEnded = true
    // All was said, so that nobody wants to hear what the other side still has to say.
    if (this.#isServer && !stream.remoteEnded) this.reset(stream, http2Codes.NO_ERROR)
    else this.#endedBoth(stream)
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
    // The other side may never close its half.
    setTimeout(() => this.#socket.destroy(), 1000).unref()
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined || this.#closed) return
    this.#failure = error
    const code = error instanceof Http2Error ? http2Codes[error.code] : http2Codes.INTERNAL_ERROR
    this.#sayGoodbye(code, error.message)
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), 1000).unref()
    this.#lost(error)
  }

  #lost(error: Error): void {
    if (this.#closed) return
    this.#closed = true
    this.#writer.close()
    const cause = this.#failure ?? error
    for (const stream of this.#streams.all()) this.#lose(stream, cause, false)
    ;(this.#socket as { destroySoon?: () => void }).destroySoon?.()
    this.#events.closed(this.#closing && this.#failure === undefined ? undefined : cause)
  }
}

const noBytes = new Uint8Array(0)
const largestBacklog = 1 << 20

const noEvents: StreamEvents = { headers() {}, data() {}, reset() {}, lost() {} }
