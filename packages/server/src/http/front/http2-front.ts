import type { Duplex } from 'node:stream'
import { type ConnectionScheduler, Http2Connection, type Http2Stream, requestHead } from '@hykube/http2/connection'
import { type HeaderField, HpackEncoder } from '@hykube/http2/hpack'
import type { Handler, Peer } from './exchange.ts'
import { Http2Exchange, varyingHeaders } from './http2-exchange.ts'

/** Timeouts of connections, in milliseconds. */
export interface Http2Timeouts {
  /** Until the client's first SETTINGS arrived. Default 10 s. */
  readonly settings?: number
  /** Without open streams. Default 3 min. */
  readonly idle?: number
  /** While the client reads nothing of the responses queued for it. Default 2 min. */
  readonly stalled?: number
}

/** Serves HTTP/2 on connections that a listener accepted. */
export class Http2Front {
  readonly #handler: Handler
  readonly #scheduler: ConnectionScheduler
  readonly #sessions = new Set<Session>()
  readonly #sweeper: NodeJS.Timeout

  constructor(handler: Handler, scheduler: ConnectionScheduler, timeouts: Http2Timeouts = {}) {
    this.#handler = handler
    this.#scheduler = scheduler
    const { settings = 10_000, idle = 180_000, stalled = 120_000 } = timeouts
    const complete = { settings, idle, stalled }
    const interval = Math.min(settings, idle, stalled) / 2
    this.#sweeper = setInterval(() => this.#sweep(complete), interval).unref()
  }

  accept(socket: Duplex, peer: Peer): void {
    const session: Session = new Session(socket, peer, this.#handler, this.#scheduler, () =>
      this.#sessions.delete(session),
    )
    this.#sessions.add(session)
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#sessions.size
  }

  /** Refuses new requests, ends streaming responses, and lets other in-flight requests finish. */
  stop(): void {
    clearInterval(this.#sweeper)
    for (const session of [...this.#sessions]) session.stop()
  }

  #sweep(timeouts: Required<Http2Timeouts>): void {
    const now = Date.now()
    for (const session of [...this.#sessions]) session.check(now, timeouts)
  }
}

/** One connection with its exchanges. */
class Session {
  readonly #handler: Handler
  readonly #peer: Peer
  readonly #connection: Http2Connection
  readonly #encoder = new HpackEncoder(varyingHeaders)
  readonly #open = new Set<Http2Exchange>()
  /** Requests that wait until the client has read more of its earlier responses. */
  #held: Http2Exchange[] = []
  #progress = 0
  /** Time of the last progress. */
  #since = Date.now()

  constructor(socket: Duplex, peer: Peer, handler: Handler, scheduler: ConnectionScheduler, closed: () => void) {
    this.#peer = peer
    this.#handler = handler
    this.#connection = new Http2Connection(
      socket,
      { ...limits, scheduler },
      {
        ready: () => {},
        headerTable: (size) => this.#encoder.limitTable(size),
        opened: (stream, fields) => this.#opened(stream, fields),
        goingAway: () => {},
        streamEnded: () => this.#startHeld(),
        closed,
      },
    )
  }

  stop(): void {
    this.#connection.close()
    for (const exchange of [...this.#open]) exchange.disconnect()
  }

  check(now: number, { settings, idle, stalled }: Required<Http2Timeouts>): void {
    this.#startHeld()
    const connection = this.#connection
    const waits = connection.isWaiting
    if (connection.progress !== this.#progress || (connection.openStreams > 0 && !waits)) this.#since = now
    this.#progress = connection.progress
    const passed = now - this.#since
    if (!connection.isSettled && passed > settings) connection.destroy()
    else if (waits && passed > stalled) connection.destroy()
    else if (connection.openStreams === 0 && passed > idle) connection.close()
  }

  #opened(stream: Http2Stream, fields: readonly HeaderField[]): Http2Exchange | undefined {
    // A stream that the client reset still uses resources until its handler returns, so it counts.
    if (this.#open.size >= limits.maxStreams) return undefined
    const head = requestHead(fields)
    if (head === undefined) {
      this.#connection.resetForViolation(stream, 'PROTOCOL_ERROR')
      return undefined
    }
    const exchange = new Http2Exchange(this.#connection, stream, fields, head, this.#peer)
    this.#open.add(exchange)
    if (this.#connection.queued > holdAboveQueued) this.#held.push(exchange)
    else void this.#serve(exchange)
    return exchange
  }

  #startHeld(): void {
    while (this.#held.length > 0 && this.#connection.queued <= holdAboveQueued) void this.#serve(this.#held.shift()!)
  }

  async #serve(exchange: Http2Exchange): Promise<void> {
    try {
      const sending = exchange.send(await this.#handler(exchange), this.#encoder)
      if (sending !== undefined) await sending
    } catch {
      exchange.fail()
    }
    this.#open.delete(exchange)
    exchange.disconnect()
  }
}

// Queued response bytes above which further requests of the connection wait. Above `largestQueue` the connection fails.
const holdAboveQueued = 16 * 1024 * 1024

const limits = {
  role: 'server',
  // As kube-apiserver.
  maxStreams: 250,
  // Bytes of a body received before its handler reads it; reading the body widens the window.
  streamWindow: 65_535,
  connectionWindow: 4 * 1024 * 1024,
  headerTable: 4096,
  largestHeaders: 64 * 1024,
  largestQueue: 128 * 1024 * 1024,
  floodLimits: { burst: 1000, perSecond: 100 },
} as const
