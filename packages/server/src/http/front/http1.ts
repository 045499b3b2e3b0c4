import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Departure, Departures } from './departure.ts'
import { bodyWriter } from './drain.ts'
import type { Handler, Peer, Request, Response } from './exchange.ts'
import { readBody } from './read-body.ts'

/** How long clients are waited for. Each in milliseconds. */
export interface Http1Timeouts {
  /** For the head of a request, from the start of the connection or of the request. Default 60 s. */
  readonly headersTimeout?: number
  /** For the whole request, its body included. Answers, and so watches, may take longer. Default 90 s. */
  readonly requestTimeout?: number
  /** For the next request on a connection. Default 3 min. */
  readonly keepAliveTimeout?: number
  /** How often connections are checked. Default 5 s. */
  readonly connectionsCheckingInterval?: number
}

const defaults: Required<Http1Timeouts> = {
  headersTimeout: 60_000,
  // Later than the deadline of bodies that are read, which has an answer of its own.
  requestTimeout: 90_000,
  keepAliveTimeout: 180_000,
  connectionsCheckingInterval: 5000,
}

const limits = { maxHeaderSize: 64 * 1024, noDelay: true }

/** A server for HTTP/1.1 connections that were accepted elsewhere. */
export function http1Server(
  handler: Handler,
  peerOf: (socket: object) => Peer,
  departures: Departures,
  timeouts: Http1Timeouts = {},
): Server {
  const server = createServer({ ...limits, ...defaults, ...timeouts })
  // Node checks these timeouts from the moment that a server listens, and this one never does by itself.
  server.emit('listening')
  server.on('request', (incoming, outgoing) => {
    const departure = departures.begin()
    outgoing.once('close', () => departure.leave())
    handler(requestFrom(incoming, departure, peerOf(incoming.socket)))
      .then((response) => send(outgoing, response, departure, incoming.method === 'HEAD'))
      .catch(() => outgoing.destroy())
  })
  server.on('clientError', (_, socket) => socket.destroy())
  return server
}

function requestFrom(incoming: IncomingMessage, departure: Departure, peer: Peer): Request {
  const { method = 'GET', url = '/' } = incoming
  const mark = url.indexOf('?')
  let body: Promise<Uint8Array> | undefined
  return {
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    header: (name) => incoming.headersDistinct[name] ?? [],
    headerNames: () => Object.keys(incoming.headers),
    body: (meter) => {
      body ??= readBody(incoming, incoming.headers['content-length'], meter)
      return body
    },
    get signal() {
      return departure.signal
    },
    get hasLeft() {
      return departure.hasLeft
    },
    peer,
  }
}

async function send(outgoing: ServerResponse, response: Response, departure: Departure, head: boolean): Promise<void> {
  const { status, headers, body } = response
  if (body instanceof Uint8Array) {
    outgoing.writeHead(status, { ...(headers as OutgoingHttpHeaders), 'content-length': body.length })
    outgoing.end(head ? undefined : body)
    return
  }
  outgoing.writeHead(status, headers as OutgoingHttpHeaders)
  outgoing.flushHeaders()
  if (head) {
    outgoing.end()
    return
  }
  try {
    await body(bodyWriter(outgoing, departure.signal))
    outgoing.end()
  } catch {
    outgoing.destroy()
  }
}
