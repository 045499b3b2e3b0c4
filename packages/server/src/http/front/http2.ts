import type { SecureServerOptions } from 'node:http2'
import { constants, createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2'
import type { Departure, Departures } from './departure.ts'
import { bodyWriter } from './drain.ts'
import type { Handler, Peer, Request, Response } from './exchange.ts'
import { readBody } from './read-body.ts'

/**
 * A server for HTTP/2 connections that were accepted elsewhere. It uses streams alone: a `request` listener would put
 * the slower compatibility layer in front of every one of them.
 */
export function http2Server(
  tls: SecureServerOptions,
  handler: Handler,
  peerOf: (socket: object) => Peer,
  departures: Departures,
): Http2SecureServer {
  const server = createSecureServer({
    ...tls,
    settings: { maxConcurrentStreams: 1000, initialWindowSize: 256 * 1024, maxHeaderListSize: 64 * 1024 },
    maxSessionMemory: 64,
  })
  server.on('session', (session) => session.setLocalWindowSize(4 * 1024 * 1024))
  server.on('stream', (stream: ServerHttp2Stream, headers, _flags, rawHeaders) => {
    // A reset or a broken connection ends the request; there is nobody left to tell.
    stream.on('error', () => {})
    const departure = departures.begin()
    stream.once('close', () => departure.leave())
    const request = requestFrom(stream, headers, rawHeaders, departure, peerOf(stream.session!.socket))
    void handler(request).then((response) => send(stream, response, departure, request.method === 'HEAD'))
  })
  server.on('sessionError', () => {})
  return server
}

type Headers = Readonly<Record<string, unknown>>

function requestFrom(
  stream: ServerHttp2Stream,
  headers: Headers,
  raw: readonly string[],
  departure: Departure,
  peer: Peer,
): Request {
  const url = String(headers[constants.HTTP2_HEADER_PATH] ?? '/')
  const mark = url.indexOf('?')
  return {
    method: String(headers[constants.HTTP2_HEADER_METHOD] ?? 'GET'),
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    header: (name) => (headers[name] === undefined ? none : valuesOf(raw, name)),
    headerNames: () => Object.keys(headers),
    body: () => readBody(stream, headers['content-length'] as string | undefined),
    get signal() {
      return departure.signal
    },
    peer,
  }
}

const none: readonly string[] = []

// Node joins repeated headers with commas, which values may hold themselves; the raw list keeps them apart.
function valuesOf(raw: readonly string[], name: string): string[] {
  const values: string[] = []
  for (let at = 0; at < raw.length; at += 2) if (raw[at] === name) values.push(raw[at + 1]!)
  return values
}

async function send(stream: ServerHttp2Stream, response: Response, departure: Departure, head: boolean): Promise<void> {
  if (stream.destroyed || stream.closed) return
  const { status, headers, body } = response
  const whole = body instanceof Uint8Array
  const length = whole ? { 'content-length': body.length } : {}
  stream.respond({ ':status': status, ...headers, ...length }, { endStream: head })
  if (head) return
  if (whole) {
    stream.end(body)
    return
  }
  try {
    await body(bodyWriter(stream, departure.signal))
    stream.end()
  } catch {
    stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  }
}
