import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { ClientDisconnect, ClientDisconnects } from './client-disconnects.ts'
import { bodyWriter } from './drain.ts'
import type { Handler, Peer, Request, Response } from './exchange.ts'
import { readBody } from './read-body.ts'

/** Timeouts for clients, in milliseconds. */
export interface Http1Timeouts {
  /** For the head of a request, from the start of the connection or of the request. Default 60 s. */
  readonly headersTimeout?: number
  /** For the whole request including its body. Responses, such as watches, may take longer. Default 90 s. */
  readonly requestTimeout?: number
  /** For the next request on a connection. Default 3 min. */
  readonly keepAliveTimeout?: number
  /** How often connections are checked. Default 5 s. */
  readonly connectionsCheckingInterval?: number
}

const defaults: Required<Http1Timeouts> = {
  headersTimeout: 60_000,
  // Later than bodyTimeout, whose error response reaches the client; this one only closes the connection.
  requestTimeout: 90_000,
  keepAliveTimeout: 180_000,
  connectionsCheckingInterval: 5000,
}

const limits = { maxHeaderSize: 64 * 1024, noDelay: true }

/** Creates an HTTP/1.1 server for connections that another listener accepted: emit `connection` for each socket. */
export function http1Server(
  handler: Handler,
  peerOf: (socket: object) => Peer,
  clients: ClientDisconnects,
  timeouts: Http1Timeouts = {},
): Server {
  const server = createServer({ ...limits, ...defaults, ...timeouts })
  // Node starts to check these timeouts on the `listening` event, and this server has no listener of its own.
  server.emit('listening')
  server.on('request', (incoming, outgoing) => {
    const client = clients.begin()
    outgoing.once('close', () => client.disconnect())
    handler(requestFrom(incoming, client, peerOf(incoming.socket)))
      .then((response) => send(outgoing, response, client, incoming.method === 'HEAD'))
      .catch(() => outgoing.destroy())
  })
  server.on('clientError', (_, socket) => socket.destroy())
  return server
}

function requestFrom(incoming: IncomingMessage, client: ClientDisconnect, peer: Peer): Request {
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
      return client.signal
    },
    get isDisconnected() {
      return client.isDisconnected
    },
    peer,
  }
}

async function send(
  outgoing: ServerResponse,
  response: Response,
  client: ClientDisconnect,
  head: boolean,
): Promise<void> {
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
    await body(bodyWriter(outgoing, client.signal))
    outgoing.end()
  } catch {
    outgoing.destroy()
  }
}
