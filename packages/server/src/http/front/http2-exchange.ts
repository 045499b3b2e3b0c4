import {
  areTrailers,
  type Http2Connection,
  type Http2Stream,
  type RequestHead,
  type StreamEvents,
} from '@hykube/http2/connection'
import { http2Codes } from '@hykube/http2/frames'
import type { HeaderField, HpackEncoder } from '@hykube/http2/hpack'
import type { StatusError } from '@hykube/machinery/status'
import { ClientDisconnect } from './client-disconnects.ts'
import {
  type BodyMeter,
  type BodyProducer,
  type BodyWriter,
  bodyTimeout,
  bodyTooSlow,
  entityTooLarge,
  keptPiece,
  maximumBodyBytes,
  type Peer,
  pieceOverhead,
  type Request,
  type Response,
  unexpectedEnd,
} from './exchange.ts'

/** One request and its response on an HTTP/2 stream: the handler's Request, the stream's events, the body's writer. */
export class Http2Exchange implements Request, BodyWriter, StreamEvents {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly peer: Peer
  readonly #connection: Http2Connection
  readonly #stream: Http2Stream
  readonly #fields: readonly HeaderField[]
  readonly #declaredLength: number | undefined
  #client: ClientDisconnect | undefined
  #isDisconnected = false
  #chunks: Buffer[] | undefined
  #received = 0
  #reading: BodyReading | undefined
  #body: Promise<Uint8Array> | undefined

  constructor(
    connection: Http2Connection,
    stream: Http2Stream,
    fields: readonly HeaderField[],
    head: RequestHead,
    peer: Peer,
  ) {
    const { method, target, contentLength } = head
    const mark = target.indexOf('?')
    this.method = method
    this.path = mark < 0 ? target : target.slice(0, mark)
    this.query = mark < 0 ? '' : target.slice(mark + 1)
    this.peer = peer
    this.#connection = connection
    this.#stream = stream
    this.#fields = fields
    this.#declaredLength = contentLength
  }

  // --- request ---

  header(name: string): readonly string[] {
    let values = none
    for (const field of this.#fields)
      if (field[0] === name) values = values.length === 0 ? [field[1]] : [...values, field[1]]
    return values
  }

  headerNames(): Iterable<string> {
    const names = new Set<string>()
    for (const field of this.#fields) names.add(field[0])
    return names
  }

  get signal(): AbortSignal {
    if (this.#client === undefined) {
      this.#client = new ClientDisconnect()
      if (this.#isDisconnected) this.#client.disconnect()
    }
    return this.#client.signal
  }

  get isDisconnected(): boolean {
    return this.#isDisconnected
  }

  body(meter?: BodyMeter): Promise<Uint8Array> {
    this.#body ??= this.#read(meter)
    return this.#body
  }

  #read(meter: BodyMeter = unmetered): Promise<Uint8Array> {
    if ((this.#declaredLength ?? 0) > maximumBodyBytes || this.#received > maximumBodyBytes)
      return Promise.reject(entityTooLarge())
    try {
      meter(this.#received + pieceOverhead * (this.#chunks?.length ?? 0))
    } catch (error) {
      return Promise.reject(error)
    }
    if (this.#stream.remoteEnded) return Promise.resolve(this.#wholeBody())
    if (this.#isDisconnected) return Promise.reject(unexpectedEnd())
    // The handler reads the body now, so the window grows to its whole length.
    this.#connection.widen(this.#stream, (this.#declaredLength ?? generousWindow) - this.#stream.receiveWindow)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#endReading(bodyTooSlow), bodyTimeout)
      this.#reading = { resolve, reject, meter, timer }
    })
  }

  // --- stream events ---

  data(bytes: Buffer, endStream: boolean): void {
    this.#received += bytes.length
    if (this.#received > (this.#declaredLength ?? Number.POSITIVE_INFINITY)) {
      this.#resetForViolation()
      return
    }
    if (this.#received > maximumBodyBytes) this.#endReading(entityTooLarge)
    else if (bytes.length > 0 && this.#mayKeep(bytes)) {
      this.#chunks ??= []
      this.#chunks.push(endStream ? bytes : keptPiece(bytes))
    }
    if (endStream) this.#ended()
    else if (this.#reading !== undefined) this.#connection.consume(this.#stream, bytes.length)
  }

  headers(fields: readonly HeaderField[]): void {
    if (areTrailers(fields)) this.#ended()
    else this.#resetForViolation()
  }

  reset(): void {
    this.disconnect()
  }

  lost(): void {
    this.disconnect()
  }

  /** Resets the stream after a failure that no response can report any more. */
  fail(): void {
    this.#connection.reset(this.#stream, http2Codes.INTERNAL_ERROR)
  }

  /** Ends the exchange: the client disconnected, the server stops, or the response is complete. */
  disconnect(): void {
    if (this.#isDisconnected) return
    this.#isDisconnected = true
    this.#endReading(unexpectedEnd)
    this.#client?.disconnect()
    // A producer that waits for the client wakes up, sees the aborted signal and ends.
    this.#stream.wakeDrainWaiters()
  }

  // --- response ---

  /** Sends a response. Returns a promise of its end when the body is produced while it is sent. */
  send(response: Response, encoder: HpackEncoder): Promise<void> | undefined {
    const { body } = response
    const stream = this.#stream
    // Checked before encoding: an encoded block must be sent, because the peer's HPACK table follows the encoder's.
    if (stream.localEnded) return undefined
    stream.discardable = this.#discardable
    const whole = body instanceof Uint8Array ? body : undefined
    const isHeadOnly = this.method === 'HEAD' || whole?.length === 0
    this.#connection.sendHeaders(stream, headerBlock(encoder, response, whole?.length), isHeadOnly)
    if (isHeadOnly) return undefined
    if (whole === undefined) return this.#produce(body as BodyProducer)
    this.#connection.send(stream, whole, true)
    return undefined
  }

  get pending(): number {
    return this.#stream.pending
  }

  write(chunk: Uint8Array): Promise<void> {
    this.#connection.send(this.#stream, chunk, false)
    return this.#stream.drained()
  }

  async #produce(body: BodyProducer): Promise<void> {
    await body(this)
    this.#connection.send(this.#stream, nothing, true)
  }

  // Bytes of an unread body to receive and drop, so that the client gets to the response. A body above the limit is reset.
  get #discardable(): number {
    const length = this.#declaredLength ?? maximumBodyBytes
    return length > maximumBodyBytes ? 0 : Math.max(0, length - this.#received)
  }

  // Before the handler reads the body, the stream's window alone bounds the memory.
  #mayKeep(bytes: Buffer): boolean {
    try {
      this.#reading?.meter(bytes.length + pieceOverhead)
      return true
    } catch (error) {
      this.#endReading(() => error as StatusError)
      return false
    }
  }

  #ended(): void {
    if (this.#declaredLength !== undefined && this.#received !== this.#declaredLength) {
      this.#resetForViolation()
      return
    }
    const reading = this.#reading
    if (reading === undefined) return
    this.#reading = undefined
    clearTimeout(reading.timer)
    reading.resolve(this.#wholeBody())
  }

  #resetForViolation(): void {
    this.#connection.resetForViolation(this.#stream, 'PROTOCOL_ERROR')
    this.disconnect()
  }

  #wholeBody(): Uint8Array {
    const chunks = this.#chunks ?? []
    this.#chunks = undefined
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  }

  // Creating an Error captures a stack trace, so it is created only when a handler is reading the body.
  #endReading(failure: () => StatusError): void {
    this.#chunks = undefined
    const reading = this.#reading
    if (reading === undefined) return
    this.#reading = undefined
    clearTimeout(reading.timer)
    reading.reject(failure())
  }
}

interface BodyReading {
  readonly resolve: (body: Uint8Array) => void
  readonly reject: (error: StatusError) => void
  readonly meter: BodyMeter
  readonly timer: NodeJS.Timeout
}

/** Headers whose values rarely repeat; the encoder does not add them to its table. */
export const varyingHeaders: ReadonlySet<string> = new Set([
  'audit-id',
  'content-length',
  'etag',
  'last-modified',
  'retry-after',
  'warning',
])

const none: readonly string[] = []
const unmetered: BodyMeter = () => {}
const nothing = new Uint8Array(0)
// Window for a body without content-length.
const generousWindow = 256 * 1024

function headerBlock(encoder: HpackEncoder, { status, headers }: Response, length: number | undefined): Uint8Array {
  encoder.begin()
  encoder.field(':status', statusText(status))
  for (const name in headers) {
    const value = headers[name]!
    if (typeof value === 'string') encoder.field(name, wireText(value))
    else for (const each of value) encoder.field(name, wireText(each))
  }
  if (length !== undefined) encoder.field('content-length', `${length}`)
  return encoder.end()
}

function statusText(status: number): string {
  return status === 200 ? '200' : `${status}`
}

// Header values are bytes: text beyond ASCII is sent as UTF-8, and control characters become spaces.
function wireText(text: string): string {
  if (plain.test(text)) return text
  return Buffer.from(text.replace(controls, ' ')).toString('latin1')
}

const plain = /^[\t\x20-\x7e]*$/
const controls = /[\x00-\x08\x0a-\x1f\x7f]/g
