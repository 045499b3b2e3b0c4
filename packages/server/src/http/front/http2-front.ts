import type { Duplex } from 'node:stream'
import { type HeaderField, HpackEncoder, Http2Connection, type Http2Stream, requestHead } from '@hykube/tfplugin/http2'
import type { Handler, Peer } from './exchange.ts'
import { Http2Exchange, varyingHeaders } from './http2-exchange.ts'

/** How long connections are waited for. Each in milliseconds. */
export interface Patience {
  /** Until the client has said how it wants to be spoken to. Default 10 s. */
  readonly greeting?: number
  /** For the next request. Default 3 min. */
  readonly idle?: number
  /** While the client takes nothing of what it asked for. Default 2 min. */
  readonly stalled?: number
}

/** Serves HTTP/2 on connections that were accepted elsewhere. */
export class Http2Front {
  readonly #handler: Handler
  readonly #sessions = new Set<Session>()
  readonly #sweeper: NodeJS.Timeout

  constructor(handler: Handler, patience: Patience = {}) {
    this.#handler = handler
    const { greeting = 10_000, idle = 180_000, stalled = 120_000 } = patience
    const complete = { greeting, idle, stalled }
    const interval = Math.min(greeting, idle, stalled) / 2
    this.#sweeper = setInterval(() => this.#sweep(complete), interval).unref()
  }

  accept(socket: Duplex, peer: Peer): void {
    const session: Session = new Session(socket, peer, this.#handler, () => this.#sessions.delete(session))
    this.#sessions.add(session)
  }

  /** How many connections there are. */
  get connections(): number {
    return this.#sessions.size
  }

  /** Ends what streams, takes no new requests, and lets those that are under way end. */
  stop(): void {
    clearInterval(this.#sweeper)
    for (const session of [...this.#sessions]) session.stop()
  }

  #sweep(patience: Required<Patience>): void {
    const now = Date.now()
    for (const session of [...this.#sessions]) session.check(now, patience)
  }
}

/** One connection. */
class Session {
  readonly #handler: Handler
  readonly #peer: Peer
  readonly #connection: Http2Connection
  readonly #encoder = new HpackEncoder(varyingHeaders)
  readonly #open = new Set<Http2Exchange>()
  /** Requests that wait until the client has taken more of what it asked for before. */
  #held: Http2Exchange[] = []
  #progress = 0
  /** Since when nothing has moved. */
  #since = Date.now()

  constructor(socket: Duplex, peer: Peer, handler: Handler, closed: () => void) {
    this.#peer = peer
    this.#handler = handler
    this.#connection = new Http2Connection(socket, limits, {
      ready: () => {},
      headerTable: (size) => this.#encoder.limitTable(size),
      opened: (stream, fields) => this.#opened(stream, fields),
      goingAway: () => {},
      streamEnded: () => this.#startHeld(),
      closed,
    })
  }

  stop(): void {
    this.#connection.close()
    for (const exchange of [...this.#open]) exchange.leave()
  }

  check(now: number, { greeting, idle, stalled }: Required<Patience>): void {
    this.#startHeld()
    const connection = this.#connection
    const waits = connection.isWaiting
    if (connection.progress !== this.#progress || (connection.openStreams > 0 && !waits)) this.#since = now
    this.#progress = connection.progress
    const passed = now - this.#since
    if (!connection.isSettled && passed > greeting) connection.destroy()
    else if (waits && passed > stalled) connection.destroy()
    else if (connection.openStreams === 0 && passed > idle) connection.close()
  }

  #opened(stream: Http2Stream, fields: readonly HeaderField[]): Http2Exchange | undefined {
    // A stream that was given up still costs until its handler has noticed.
    if (this.#open.size >= limits.maxStreams) return undefined
    const head = requestHead(fields)
    if (head === undefined) {
      this.#connection.blame(stream, 'PROTOCOL_ERROR')
      return undefined
    }
    const exchange = new Http2Exchange(this.#connection, stream, fields, head, this.#peer)
    this.#open.add(exchange)
    if (this.#connection.queued > enoughQueued) this.#held.push(exchange)
    else void this.#serve(exchange)
    return exchange
  }

  #startHeld(): void {
    while (this.#held.length > 0 && this.#connection.queued <= enoughQueued) void this.#serve(this.#held.shift()!)
  }

  async #serve(exchange: Http2Exchange): Promise<void> {
    try {
      const sending = exchange.send(await this.#handler(exchange), this.#encoder)
      if (sending !== undefined) await sending
    } catch {
      exchange.cut()
    }
    this.#open.delete(exchange)
    exchange.leave()
  }
}

// A client that asks faster than it reads waits from here on, in bytes; one that still does not read is cut off.
const enoughQueued = 16 * 1024 * 1024

const limits = {
  role: 'server',
  // As kube-apiserver.
  maxStreams: 250,
  // What may wait for somebody to read it; whoever does widens it.
  streamWindow: 65_535,
  connectionWindow: 4 * 1024 * 1024,
  headerTable: 4096,
  largestHeaders: 64 * 1024,
  largestQueue: 128 * 1024 * 1024,
  floodLimits: { burst: 1000, perSecond: 100 },
} as const
