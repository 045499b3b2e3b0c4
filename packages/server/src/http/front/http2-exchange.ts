import type { StatusError } from '@hykube/machinery/status'
import {
  areTrailers,
  type HeaderField,
  type HpackEncoder,
  type Http2Connection,
  type Http2Stream,
  http2Codes,
  type RequestHead,
  type StreamEvents,
} from '@hykube/tfplugin/http2'
import { Departure } from './departure.ts'
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

/** One request and its answer on an HTTP/2 stream: what the handler sees, what the stream tells, where the answer goes. */
export class Http2Exchange implements Request, BodyWriter, StreamEvents {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly peer: Peer
  readonly #connection: Http2Connection
  readonly #stream: Http2Stream
  readonly #fields: readonly HeaderField[]
  readonly #declaredLength: number | undefined
  #departure: Departure | undefined
  #left = false
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

  // --- what the handler sees ---

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
    if (this.#departure === undefined) {
      this.#departure = new Departure()
      if (this.#left) this.#departure.leave()
    }
    return this.#departure.signal
  }

  get hasLeft(): boolean {
    return this.#left
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
    if (this.#left) return Promise.reject(unexpectedEnd())
    // The body is wanted: the client may send all of it.
    this.#connection.widen(this.#stream, (this.#declaredLength ?? generousWindow) - this.#stream.receiveWindow)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#endReading(bodyTooSlow), bodyTimeout)
      this.#reading = { resolve, reject, meter, timer }
    })
  }

  // --- what the stream tells ---

  data(bytes: Buffer, endStream: boolean): void {
    this.#received += bytes.length
    if (this.#received > (this.#declaredLength ?? Number.POSITIVE_INFINITY)) {
      this.#blame()
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
    else this.#blame()
  }

  reset(): void {
    this.leave()
  }

  lost(): void {
    this.leave()
  }

  /** Gives the stream up: something went wrong that can't be told any more. */
  cut(): void {
    this.#connection.reset(this.#stream, http2Codes.INTERNAL_ERROR)
  }

  /** The client has left, or the server stops. */
  leave(): void {
    if (this.#left) return
    this.#left = true
    this.#endReading(unexpectedEnd)
    this.#departure?.leave()
    // A producer that waits for the client sees that it need not.
    this.#stream.wakeDrainWaiters()
  }

  // --- where the answer goes ---

  /** Sends an answer. What streams is given back as a promise of its end. */
  send(response: Response, encoder: HpackEncoder): Promise<void> | undefined {
    const { body } = response
    const stream = this.#stream
    // Headers that were encoded must be sent: the other side's table follows ours.
    if (stream.localEnded) return undefined
    stream.discardable = this.#discardable
    const whole = body instanceof Uint8Array ? body : undefined
    const isBare = this.method === 'HEAD' || whole?.length === 0
    this.#connection.sendHeaders(stream, headerBlock(encoder, response, whole?.length), isBare)
    if (isBare) return undefined
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

  // A body that could have been read is received to its end, so that its client gets to the response. One above the limit is not.
  get #discardable(): number {
    const length = this.#declaredLength ?? maximumBodyBytes
    return length > maximumBodyBytes ? 0 : Math.max(0, length - this.#received)
  }

  // Before the body is wanted, the window of the stream bounds what may arrive.
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
      this.#blame()
      return
    }
    const reading = this.#reading
    if (reading === undefined) return
    this.#reading = undefined
    clearTimeout(reading.timer)
    reading.resolve(this.#wholeBody())
  }

  #blame(): void {
    this.#connection.blame(this.#stream, 'PROTOCOL_ERROR')
    this.leave()
  }

  #wholeBody(): Uint8Array {
    const chunks = this.#chunks ?? []
    this.#chunks = undefined
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  }

  // Errors are dear, and nearly nobody waits.
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

/** Headers whose values hardly ever come again. */
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
// How much may come at once of a body that does not say how long it is.
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

// A header's text is bytes: what is not Latin-1 goes as UTF-8, and what would end a line is a space.
function wireText(text: string): string {
  if (plain.test(text)) return text
  return Buffer.from(text.replace(controls, ' ')).toString('latin1')
}

const plain = /^[\t\x20-\x7e]*$/
const controls = /[\x00-\x08\x0a-\x1f\x7f]/g
