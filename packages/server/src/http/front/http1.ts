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

/** A server for HTTP/1.1 connections that were accepted elsewhere. */
export function http1Server(handler: Handler, peerOf: (socket: object) => Peer, departures: Departures): Server {
  const server = createServer({ maxHeaderSize: 64 * 1024, keepAliveTimeout: 0, requestTimeout: 0, noDelay: true })
  // Slow clients get a minute for their head; watches last as long as they like.
  server.headersTimeout = 60_000
  server.on('request', (incoming, outgoing) => {
    const departure = departures.begin()
    outgoing.once('close', () => departure.leave())
    void handler(requestFrom(incoming, departure, peerOf(incoming.socket))).then((response) =>
      send(outgoing, response, departure, incoming.method === 'HEAD'),
    )
  })
  server.on('clientError', (_, socket) => socket.destroy())
  return server
}

function requestFrom(incoming: IncomingMessage, departure: Departure, peer: Peer): Request {
  const { method = 'GET', url = '/' } = incoming
  const mark = url.indexOf('?')
  return {
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    header: (name) => incoming.headersDistinct[name] ?? [],
    headerNames: () => Object.keys(incoming.headers),
    body: () => readBody(incoming, incoming.headers['content-length']),
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
