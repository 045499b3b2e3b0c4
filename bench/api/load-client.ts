import { connect } from 'node:tls'
import { Http2Connection, type Http2Stream, type StreamEvents } from '@hykube/http2/connection'
import { http2Codes } from '@hykube/http2/frames'
import { fieldValue, type HeaderField, HpackEncoder } from '@hykube/http2/hpack'

/**
 * A pool of HTTP/2 connections to one server. It uses our own HTTP/2 client, so that the load generator is not the
 * bottleneck.
 */
export class LoadClient {
  readonly #sessions: readonly LoadSession[]
  #next = 0

  private constructor(sessions: readonly LoadSession[]) {
    this.#sessions = sessions
  }

  /** `window` is the receive window of a stream in bytes. */
  static async connect(url: string, token: string, connections: number, window?: number): Promise<LoadClient> {
    const { hostname, port } = new URL(url)
    const opened = Array.from({ length: connections }, () => LoadSession.open(hostname, Number(port), token, window))
    return new LoadClient(await Promise.all(opened))
  }

  /** Sends a request and resolves with the status and body when the response is complete. */
  request(method: string, path: string, body?: Uint8Array, contentType?: string): Promise<Answer> {
    return this.#session().request(method, path, body, contentType)
  }

  /** Opens a watch and calls `onLine` for every line. Returns a function that closes it. */
  watch(path: string, onLine: (line: Buffer) => void): () => void {
    return this.#session().watch(path, onLine)
  }

  /** Opens a watch that is not read until {@link StalledWatch.read}. */
  stall(path: string): StalledWatch {
    return this.#session().stall(path)
  }

  close(): void {
    for (const session of this.#sessions) session.close()
  }

  #session(): LoadSession {
    return this.#sessions[this.#next++ % this.#sessions.length]!
  }
}

export interface Answer {
  readonly status: number
  readonly bytes: number
  readonly body: readonly Buffer[]
}

class LoadSession {
  readonly #connection: Http2Connection
  readonly #encoder = new HpackEncoder(new Set([':path']))
  readonly #authority: string
  readonly #authorization: string

  private constructor(connection: Http2Connection, authority: string, token: string) {
    this.#connection = connection
    this.#authority = authority
    this.#authorization = `Bearer ${token}`
  }

  static open(host: string, port: number, token: string, window: number | undefined): Promise<LoadSession> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
      socket.setNoDelay(true)
      const connection = new Http2Connection(
        socket,
        {
          role: 'client',
          headerTable: 4096,
          connectionWindow: 1 << 25,
          ...(window === undefined ? {} : { streamWindow: window }),
        },
        {
          ready: () => resolve(session),
          headerTable: (size) => session.#encoder.limitTable(size),
          opened: () => undefined,
          goingAway: reject,
          streamEnded: () => {},
          closed: (error) => reject(error ?? new Error('the connection was closed')),
        },
      )
      const session = new LoadSession(connection, `${host}:${port}`, token)
    })
  }

  request(method: string, path: string, body?: Uint8Array, contentType = 'application/json'): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const events = new LoadRequest(this.#connection, resolve, reject)
      const block = this.#block(method, path, body === undefined ? undefined : contentType)
      const stream = this.#connection.open(block, events, body === undefined)
      events.stream = stream
      if (body !== undefined) this.#connection.send(stream, body, true)
    })
  }

  watch(path: string, onLine: (line: Buffer) => void): () => void {
    const events = new LoadWatch(this.#connection, onLine)
    const stream = this.#connection.open(this.#block('GET', path, undefined), events, true)
    events.stream = stream
    return () => this.#connection.reset(stream, http2Codes.CANCEL)
  }

  stall(path: string): StalledWatch {
    const watch = new StalledWatch(this.#connection)
    watch.stream = this.#connection.open(this.#block('GET', path, undefined), watch, true)
    return watch
  }

  close(): void {
    this.#connection.destroy()
  }

  #block(method: string, path: string, contentType: string | undefined): Uint8Array {
    const encoder = this.#encoder
    encoder.begin()
    encoder.field(':method', method)
    encoder.field(':scheme', 'https')
    encoder.field(':path', path)
    encoder.field(':authority', this.#authority)
    encoder.field('authorization', this.#authorization)
    encoder.field('accept', 'application/json')
    if (contentType !== undefined) encoder.field('content-type', contentType)
    return encoder.end()
  }
}

const keptBytes = 1 << 20

class LoadRequest implements StreamEvents {
  readonly #connection: Http2Connection
  readonly #resolve: (answer: Answer) => void
  readonly #reject: (error: Error) => void
  readonly #body: Buffer[] = []
  #status = 0
  #bytes = 0
  stream: Http2Stream | undefined

  constructor(connection: Http2Connection, resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.#connection = connection
    this.#resolve = resolve
    this.#reject = reject
  }

  headers(fields: readonly HeaderField[], endStream: boolean): void {
    this.#status ||= Number(fieldValue(fields, ':status'))
    if (endStream) this.#end()
  }

  data(bytes: Buffer, endStream: boolean): void {
    this.#bytes += bytes.length
    if (this.#bytes < keptBytes) this.#body.push(bytes)
    if (endStream) this.#end()
    else this.#connection.consume(this.stream!, bytes.length)
  }

  reset(code: number): void {
    this.#reject(new Error(`the server reset the request (${code})`))
  }

  lost(error: Error): void {
    this.#reject(error)
  }

  #end(): void {
    this.#resolve({ status: this.#status, bytes: this.#bytes, body: this.#body })
  }
}

class LoadWatch implements StreamEvents {
  readonly #connection: Http2Connection
  readonly #onLine: (line: Buffer) => void
  #rest: Buffer | undefined
  stream: Http2Stream | undefined

  constructor(connection: Http2Connection, onLine: (line: Buffer) => void) {
    this.#connection = connection
    this.#onLine = onLine
  }

  headers(): void {}

  data(bytes: Buffer): void {
    this.#connection.consume(this.stream!, bytes.length)
    const data = this.#rest === undefined ? bytes : Buffer.concat([this.#rest, bytes])
    let start = 0
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
      this.#onLine(data.subarray(start, end))
      start = end + 1
    }
    this.#rest = start < data.length ? Buffer.copyBytesFrom(data, start) : undefined
  }

  reset(): void {}

  lost(): void {}
}

/** A watch whose client does not read: its flow-control window fills and is not returned. */
export class StalledWatch implements StreamEvents {
  readonly #connection: Http2Connection
  readonly #received: Buffer[] = []
  readonly #over = Promise.withResolvers<void>()
  #unread = 0
  #reads = false
  stream: Http2Stream | undefined

  constructor(connection: Http2Connection) {
    this.#connection = connection
    // The result may never be awaited; an unhandled rejection would end the process.
    this.#over.promise.catch(() => {})
  }

  /** Resets the watch. */
  cancel(): void {
    this.#connection.reset(this.stream!, http2Codes.CANCEL)
  }

  /** Reads the watch to its end and returns the last line. */
  async read(): Promise<string> {
    this.#reads = true
    this.#connection.consume(this.stream!, this.#unread)
    await this.#over.promise
    return Buffer.concat(this.#received).toString().trimEnd().split('\n').at(-1)!
  }

  headers(): void {}

  data(bytes: Buffer, endStream: boolean): void {
    this.#received.push(Buffer.copyBytesFrom(bytes))
    if (endStream) this.#over.resolve()
    else if (this.#reads) this.#connection.consume(this.stream!, bytes.length)
    else this.#unread += bytes.length
  }

  reset(code: number): void {
    this.#over.reject(new Error(`the server reset the watch (${code})`))
  }

  lost(error: Error): void {
    this.#over.reject(error)
  }
}
