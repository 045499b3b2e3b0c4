import type { Duplex } from 'node:stream'
import {
  clientPreface,
  defaultFrameSize,
  defaultWindow,
  flagAck,
  flagEndHeaders,
  flagEndStream,
  flagPadded,
  flagPriority,
  frame,
  frameHeaderLength,
  frameTypes,
  largestWindow,
  numberFrame,
  settings,
  settingsFrame,
  writeFrameHeader,
} from './frame.ts'
import { FrameWriter, largestRoom } from './frame-writer.ts'
import { type HeaderField, HpackDecoder } from './hpack.ts'
import { Http2Error, http2CodeName, http2Codes } from './http2-error.ts'
import { Http2Stream, type StreamEvents } from './http2-stream.ts'

/** Whoever owns a connection hears of it through these. */
export interface ConnectionEvents {
  /** The other side has said how it wants to be spoken to; afterwards also whenever a limit changes. */
  ready(): void
  /** The other side opened a stream; undefined refuses it. Never called on a client. */
  opened(stream: (events: StreamEvents) => Http2Stream, fields: readonly HeaderField[], endStream: boolean): boolean
  /** The other side takes no more streams. */
  goingAway(error: Error): void
  /** A stream ended, so that there may be room for another. */
  streamEnded(): void
  /** The connection is gone; undefined when it was closed on purpose. Called once, after every stream heard. */
  closed(error: Error | undefined): void
}

/**
 * HTTP/2 over a socket, as far as gRPC needs it: both sides of framing, header compression and flow control. Knows
 * streams and bytes, not calls and messages. A breach of the rules ends the connection with the reason; nothing throws.
 */
export class Http2Connection {
  readonly #socket: Duplex
  readonly #events: ConnectionEvents
  readonly #isServer: boolean
  readonly #writer: FrameWriter
  readonly #hpack = new HpackDecoder({ largestTable: 4096, largestList: largestHeaderList })
  readonly #streams = new Map<number, Http2Stream>()
  readonly #blocked = new Set<Http2Stream>()
  #rest: Buffer | undefined
  #prefaceLeft: number
  #headerBlock: { readonly stream: number; readonly endStream: boolean; parts: Buffer[]; size: number } | undefined
  #sendWindow = defaultWindow
  #receiveWindow = connectionWindow
  #unreturned = 0
  #peerWindow = defaultWindow
  #peerFrameSize = defaultFrameSize
  #peerMaxStreams = Number.POSITIVE_INFINITY
  #settled = false
  #nextId = 1
  #lastPeerId = 0
  #goingAway = false
  #closing = false
  #closed = false
  #failure: Error | undefined

  constructor(socket: Duplex, role: 'client' | 'server', events: ConnectionEvents) {
    this.#socket = socket
    this.#events = events
    this.#isServer = role === 'server'
    this.#prefaceLeft = this.#isServer ? clientPreface.length : 0
    this.#writer = new FrameWriter(socket)
    this.#sayHello()
    socket.on('data', (chunk: Buffer) => this.#received(chunk))
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

  /** Opens a stream with these headers. Only when {@link hasRoom}. */
  open(block: Uint8Array, events: StreamEvents): Http2Stream {
    const stream = new Http2Stream(this.#nextId, events, this.#peerWindow, streamWindow)
    this.#nextId += 2
    // Numbers run out after a billion calls; the owner then opens another connection.
    if (this.#nextId > largestWindow - 2) this.#goingAway = true
    this.#streams.set(stream.id, stream)
    this.sendHeaders(stream, block, false)
    return stream
  }

  sendHeaders(stream: Http2Stream, block: Uint8Array, endStream: boolean): void {
    if (stream.localEnded || this.#closed) return
    const most = Math.min(this.#peerFrameSize, largestRoom - frameHeaderLength)
    let type: number = frameTypes.HEADERS
    for (let start = 0; start === 0 || start < block.length; start += most) {
      const part = block.length <= most ? block : block.subarray(start, start + most)
      const last = start + most >= block.length ? flagEndHeaders : 0
      const end = endStream && type === frameTypes.HEADERS ? flagEndStream : 0
      this.#writeFrame(type, last | end, stream.id, part)
      type = frameTypes.CONTINUATION
    }
    if (endStream) this.#endLocal(stream)
  }

  /**
   * Sends a message with gRPC's five bytes in front, now or when there is room; with `end` nothing follows. The message
   * must not be changed until the stream has drained.
   */
  sendMessage(stream: Http2Stream, message: Uint8Array, end: boolean): void {
    if (stream.localEnded || this.#closed) return
    const length = message.length + messagePrefix
    if (stream.queue.length === 0 && this.#fits(stream, length)) this.#sendWhole(stream, message, length, end)
    else {
      // The message itself is not copied: it may be large.
      const prefix = Buffer.allocUnsafe(messagePrefix)
      writePrefix(prefix, 0, message.length)
      stream.queue.push({ bytes: prefix, end: false })
      this.#enqueue(stream, message, end)
    }
  }

  /** Says that nothing follows. */
  endSending(stream: Http2Stream): void {
    if (!stream.localEnded && !this.#closed) this.#enqueue(stream, noBytes, true)
  }

  /** Gives bytes back to the other side, which may then send as many again. */
  consume(stream: Http2Stream, length: number): void {
    stream.unreturned += length
    if (stream.remoteEnded || this.#closed || stream.unreturned < streamWindow / 2) return
    stream.receiveWindow += stream.unreturned
    this.#writer.write(numberFrame(frameTypes.WINDOW_UPDATE, stream.id, stream.unreturned))
    stream.unreturned = 0
  }

  /** Gives a stream up. Nothing more is heard of it. */
  reset(stream: Http2Stream, code: number): void {
    if (!this.#streams.has(stream.id) || this.#closed) return
    this.#writer.write(numberFrame(frameTypes.RST_STREAM, stream.id, code))
    this.#forget(stream)
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

  #sayHello(): void {
    if (!this.#isServer) this.#writer.write(clientPreface)
    const own = this.#isServer
      ? ([settings.MAX_CONCURRENT_STREAMS, maxIncomingStreams] as const)
      : ([settings.ENABLE_PUSH, 0] as const)
    this.#writer.write(
      settingsFrame([
        [settings.HEADER_TABLE_SIZE, 0],
        own,
        [settings.INITIAL_WINDOW_SIZE, streamWindow],
        [settings.MAX_HEADER_LIST_SIZE, largestHeaderList],
      ]),
    )
    this.#writer.write(numberFrame(frameTypes.WINDOW_UPDATE, 0, connectionWindow - defaultWindow))
    this.#writer.flush()
  }

  #sayGoodbye(code: number, reason: string): void {
    const content = Buffer.alloc(8 + Buffer.byteLength(reason))
    content.writeUInt32BE(this.#lastPeerId, 0)
    content.writeUInt32BE(code, 4)
    content.write(reason, 8)
    this.#writer.write(frame(frameTypes.GOAWAY, 0, 0, content))
    this.#writer.flush()
  }

  // --- sending ---

  #fits(stream: Http2Stream, length: number): boolean {
    return (
      length <= stream.sendWindow &&
      length <= this.#sendWindow &&
      length <= this.#peerFrameSize &&
      length <= largestRoom - frameHeaderLength
    )
  }

  // The usual case: frame header, prefix and message go straight into the buffer that is sent.
  #sendWhole(stream: Http2Stream, message: Uint8Array, length: number, end: boolean): void {
    const at = this.#writer.room(frameHeaderLength + length)
    const { chunk } = this.#writer
    writeFrameHeader(chunk, at, length, frameTypes.DATA, end ? flagEndStream : 0, stream.id)
    writePrefix(chunk, at + frameHeaderLength, message.length)
    chunk.set(message, at + frameHeaderLength + messagePrefix)
    stream.sendWindow -= length
    this.#sendWindow -= length
    if (end) this.#endLocal(stream)
  }

  #enqueue(stream: Http2Stream, bytes: Uint8Array, end: boolean): void {
    stream.queue.push({ bytes, end })
    this.#pump(stream)
  }

  /** Sends what the windows allow. */
  #pump(stream: Http2Stream): void {
    for (;;) {
      const first = stream.queue[0]
      if (first === undefined) break
      const size = Math.min(first.bytes.length, stream.sendWindow, this.#sendWindow, this.#peerFrameSize)
      if (size <= 0 && first.bytes.length > 0) {
        this.#blocked.add(stream)
        return
      }
      const isWhole = size === first.bytes.length
      const end = isWhole && first.end
      this.#writeFrame(frameTypes.DATA, end ? flagEndStream : 0, stream.id, first.bytes.subarray(0, size))
      stream.sendWindow -= size
      this.#sendWindow -= size
      if (isWhole) stream.queue.shift()
      else first.bytes = first.bytes.subarray(size)
      if (end) this.#endLocal(stream)
    }
    this.#blocked.delete(stream)
    stream.wakeDrainWaiters()
  }

  #pumpBlocked(): void {
    for (const stream of [...this.#blocked]) {
      if (this.#sendWindow <= 0) return
      this.#pump(stream)
    }
  }

  #writeFrame(type: number, flags: number, stream: number, content: Uint8Array): void {
    if (content.length + frameHeaderLength <= largestRoom) {
      const at = this.#writer.room(frameHeaderLength + content.length)
      const { chunk } = this.#writer
      writeFrameHeader(chunk, at, content.length, type, flags, stream)
      chunk.set(content, at + frameHeaderLength)
    } else {
      const at = this.#writer.room(frameHeaderLength)
      writeFrameHeader(this.#writer.chunk, at, content.length, type, flags, stream)
      this.#writer.write(content)
    }
  }

  // --- receiving ---

  #received(chunk: Buffer): void {
    if (this.#closed || this.#failure !== undefined) return
    try {
      const start = this.#prefaceLeft > 0 ? this.#checkPreface(chunk) : 0
      this.#frames(
        this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk.subarray(start)]),
        this.#rest === undefined ? start : 0,
      )
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #checkPreface(chunk: Buffer): number {
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
      if (bytes.length - start < length) break
      const stream = bytes.readUInt32BE(position + 5) & 0x7fffffff
      this.#frame(bytes[position + 3]!, bytes[position + 4]!, stream, bytes, start, start + length)
      if (this.#closed || this.#failure !== undefined) return
      position = start + length
    }
    if (position < bytes.length) this.#rest = bytes.subarray(position)
  }

  #frame(type: number, flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    if (this.#headerBlock !== undefined && (type !== frameTypes.CONTINUATION || id !== this.#headerBlock.stream))
      throw new Http2Error('PROTOCOL_ERROR', 'headers are interrupted by another frame')
    if (!this.#settled && type !== frameTypes.SETTINGS)
      throw new Http2Error('PROTOCOL_ERROR', 'the first frame is not SETTINGS')
    switch (type) {
      case frameTypes.DATA:
        this.#onData(flags, id, bytes, start, end)
        return
      case frameTypes.HEADERS:
        this.#onHeaders(flags, id, bytes, start, end)
        return
      case frameTypes.CONTINUATION:
        this.#onContinuation(flags, bytes.subarray(start, end))
        return
      case frameTypes.SETTINGS:
        this.#onSettings(flags, id, bytes.subarray(start, end))
        return
      case frameTypes.WINDOW_UPDATE:
        this.#onWindowUpdate(id, bytes.subarray(start, end))
        return
      case frameTypes.PING:
        this.#onPing(flags, id, bytes.subarray(start, end))
        return
      case frameTypes.RST_STREAM:
        this.#onReset(id, bytes.subarray(start, end))
        return
      case frameTypes.GOAWAY:
        this.#onGoaway(id, bytes.subarray(start, end))
        return
      case frameTypes.PUSH_PROMISE:
        throw new Http2Error('PROTOCOL_ERROR', 'nobody asked for a push')
      default:
      // PRIORITY, and what later versions may bring, says nothing that matters here.
    }
  }

  #onData(flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    const length = end - start
    this.#receiveWindow -= length
    if (this.#receiveWindow < 0) throw new Http2Error('FLOW_CONTROL_ERROR', 'more was sent than the window allows')
    this.#returnToConnection(length)
    const stream = this.#streams.get(id)
    if (stream === undefined) {
      this.#checkWasOpen(id)
      return
    }
    if (stream.remoteEnded) throw new Http2Error('STREAM_CLOSED', `data for stream ${id}, which has ended`)
    stream.receiveWindow -= length
    if (stream.receiveWindow < 0) throw new Http2Error('FLOW_CONTROL_ERROR', 'more was sent than the window allows')
    const padding = (flags & flagPadded) === 0 ? -1 : paddingOf(bytes, start, end)
    const data = padding < 0 ? bytes.subarray(start, end) : bytes.subarray(start + 1, end - padding)
    const isLast = (flags & flagEndStream) !== 0
    if (isLast) stream.remoteEnded = true
    if (padding >= 0) this.consume(stream, padding + 1)
    stream.events.data(data, isLast)
    if (isLast) this.#endedBoth(stream)
  }

  #onHeaders(flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    if (id === 0) throw new Http2Error('PROTOCOL_ERROR', 'headers for stream 0')
    if ((flags & flagPadded) !== 0) {
      const padding = paddingOf(bytes, start, end)
      start += 1
      end -= padding
    }
    if ((flags & flagPriority) !== 0) start += 5
    if (start > end) throw new Http2Error('FRAME_SIZE_ERROR', 'headers that are too short')
    const endStream = (flags & flagEndStream) !== 0
    const part = bytes.subarray(start, end)
    if ((flags & flagEndHeaders) !== 0) this.#headers(id, part, endStream)
    else this.#headerBlock = { stream: id, endStream, parts: [part], size: part.length }
  }

  #onContinuation(flags: number, part: Buffer): void {
    const block = this.#headerBlock
    if (block === undefined) throw new Http2Error('PROTOCOL_ERROR', 'headers are continued that did not begin')
    block.parts.push(part)
    block.size += part.length
    if (block.size > largestHeaderList || block.parts.length > 100)
      throw new Http2Error('ENHANCE_YOUR_CALM', 'the headers are too large')
    if ((flags & flagEndHeaders) === 0) return
    this.#headerBlock = undefined
    this.#headers(block.stream, Buffer.concat(block.parts), block.endStream)
  }

  #headers(id: number, block: Buffer, endStream: boolean): void {
    // Decoded even when nobody wants them: later headers may build on these.
    const fields = this.#hpack.decode(block)
    const stream = this.#streams.get(id)
    if (stream === undefined) {
      if (this.#isServer) this.#opened(id, fields, endStream)
      else this.#checkWasOpen(id)
      return
    }
    if (stream.remoteEnded) throw new Http2Error('STREAM_CLOSED', `headers for stream ${id}, which has ended`)
    if (endStream) stream.remoteEnded = true
    stream.events.headers(fields, endStream)
    if (endStream) this.#endedBoth(stream)
  }

  #opened(id: number, fields: readonly HeaderField[], endStream: boolean): void {
    if (id % 2 === 0) throw new Http2Error('PROTOCOL_ERROR', `stream ${id} is not a client's to open`)
    if (id <= this.#lastPeerId) return
    this.#lastPeerId = id
    const refused = this.#closing || this.#streams.size >= maxIncomingStreams
    const make = (events: StreamEvents) => {
      const stream = new Http2Stream(id, events, this.#peerWindow, streamWindow)
      stream.remoteEnded = endStream
      this.#streams.set(id, stream)
      return stream
    }
    if (refused || !this.#events.opened(make, fields, endStream))
      this.#writer.write(numberFrame(frameTypes.RST_STREAM, id, http2Codes.REFUSED_STREAM))
  }

  #onSettings(flags: number, id: number, content: Buffer): void {
    if (id !== 0) throw new Http2Error('PROTOCOL_ERROR', 'settings for a stream')
    if ((flags & flagAck) !== 0) {
      if (content.length > 0) throw new Http2Error('FRAME_SIZE_ERROR', 'settings that confirm and set')
      return
    }
    if (content.length % 6 !== 0) throw new Http2Error('FRAME_SIZE_ERROR', 'settings that end in the middle')
    for (let at = 0; at < content.length; at += 6) this.#setting(content.readUInt16BE(at), content.readUInt32BE(at + 2))
    this.#answer(frame(frameTypes.SETTINGS, flagAck, 0, noBytes))
    this.#settled = true
    this.#events.ready()
    this.#pumpBlocked()
  }

  #setting(setting: number, value: number): void {
    if (setting === settings.INITIAL_WINDOW_SIZE) {
      if (value > largestWindow) throw new Http2Error('FLOW_CONTROL_ERROR', `a window of ${value} is too large`)
      for (const stream of this.#streams.values()) stream.sendWindow += value - this.#peerWindow
      this.#peerWindow = value
    } else if (setting === settings.MAX_FRAME_SIZE) {
      if (value < defaultFrameSize || value > 0xffffff)
        throw new Http2Error('PROTOCOL_ERROR', `a frame size of ${value} is not allowed`)
      this.#peerFrameSize = value
    } else if (setting === settings.MAX_CONCURRENT_STREAMS) this.#peerMaxStreams = value
  }

  #onWindowUpdate(id: number, content: Buffer): void {
    if (content.length !== 4) throw new Http2Error('FRAME_SIZE_ERROR', 'a window update of a wrong length')
    const increment = content.readUInt32BE(0) & 0x7fffffff
    if (increment === 0) throw new Http2Error('PROTOCOL_ERROR', 'a window grows by nothing')
    if (id === 0) {
      this.#sendWindow = widened(this.#sendWindow, increment)
      this.#pumpBlocked()
      return
    }
    const stream = this.#streams.get(id)
    if (stream === undefined) {
      this.#checkWasOpen(id)
      return
    }
    stream.sendWindow = widened(stream.sendWindow, increment)
    if (stream.queue.length > 0) this.#pump(stream)
  }

  #onPing(flags: number, id: number, content: Buffer): void {
    if (id !== 0) throw new Http2Error('PROTOCOL_ERROR', 'a ping for a stream')
    if (content.length !== 8) throw new Http2Error('FRAME_SIZE_ERROR', 'a ping of a wrong length')
    if ((flags & flagAck) === 0) this.#answer(frame(frameTypes.PING, flagAck, 0, content))
  }

  #onReset(id: number, content: Buffer): void {
    if (content.length !== 4) throw new Http2Error('FRAME_SIZE_ERROR', 'a reset of a wrong length')
    const stream = this.#streams.get(id)
    if (stream === undefined) {
      this.#checkWasOpen(id)
      return
    }
    this.#forget(stream)
    stream.events.reset(content.readUInt32BE(0))
  }

  #onGoaway(id: number, content: Buffer): void {
    if (id !== 0 || content.length < 8) throw new Http2Error('PROTOCOL_ERROR', 'a farewell of a wrong shape')
    const last = content.readUInt32BE(0) & 0x7fffffff
    const code = content.readUInt32BE(4)
    const reason = content.toString('utf8', 8, Math.min(content.length, 200))
    const error = new Error(
      `the other side takes no more calls (${http2CodeName(code)}${reason === '' ? '' : `: ${reason}`})`,
    )
    this.#goingAway = true
    if (!this.#isServer) {
      for (const stream of [...this.#streams.values()]) if (stream.id > last) this.#lose(stream, error, true)
    }
    this.#events.goingAway(error)
    this.#endIfIdle()
  }

  // What is asked for with every frame must not pile up when nobody reads the answers.
  #answer(bytes: Buffer): void {
    if (this.#writer.backlog > largestBacklog) throw new Http2Error('ENHANCE_YOUR_CALM', 'answers are not being read')
    this.#writer.write(bytes)
  }

  #returnToConnection(length: number): void {
    this.#unreturned += length
    if (this.#unreturned < connectionWindow / 2) return
    this.#receiveWindow += this.#unreturned
    this.#writer.write(numberFrame(frameTypes.WINDOW_UPDATE, 0, this.#unreturned))
    this.#unreturned = 0
  }

  #checkWasOpen(id: number): void {
    const highest = this.#isServer ? this.#lastPeerId : this.#nextId - 2
    if (id === 0 || id > highest) throw new Http2Error('PROTOCOL_ERROR', `stream ${id} was never opened`)
  }

  // --- ending ---

  #endLocal(stream: Http2Stream): void {
    stream.localEnded = true
    this.#endedBoth(stream)
  }

  #endedBoth(stream: Http2Stream): void {
    if (stream.localEnded && stream.remoteEnded) this.#forget(stream)
  }

  #forget(stream: Http2Stream): void {
    if (!this.#streams.delete(stream.id)) return
    this.#blocked.delete(stream)
    stream.localEnded = true
    stream.queue.length = 0
    stream.wakeDrainWaiters()
    this.#events.streamEnded()
    this.#endIfIdle()
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
    if (this.#failure !== undefined) return
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
    for (const stream of [...this.#streams.values()]) this.#lose(stream, cause, false)
    ;(this.#socket as { destroySoon?: () => void }).destroySoon?.()
    this.#events.closed(this.#closing && this.#failure === undefined ? undefined : cause)
  }
}

const noBytes = new Uint8Array(0)
const messagePrefix = 5
const streamWindow = 1 << 20
const connectionWindow = 1 << 24
const largestHeaderList = 1 << 16
const largestBacklog = 1 << 20
const maxIncomingStreams = 1000

function writePrefix(into: Uint8Array, at: number, length: number): void {
  into[at] = 0
  into[at + 1] = length >>> 24
  into[at + 2] = length >>> 16
  into[at + 3] = length >>> 8
  into[at + 4] = length
}

function paddingOf(bytes: Buffer, start: number, end: number): number {
  const padding = start < end ? bytes[start]! : 256
  if (padding >= end - start) throw new Http2Error('PROTOCOL_ERROR', 'more padding than frame')
  return padding
}

function widened(window: number, increment: number): number {
  if (window + increment > largestWindow) throw new Http2Error('FLOW_CONTROL_ERROR', 'a window grows too large')
  return window + increment
}
