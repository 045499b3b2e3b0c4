import type { X509Certificate } from 'node:crypto'
import { badRequest, StatusError } from '@hykube/machinery/status'

/** A request as handlers see it, whatever version of HTTP it came by. */
export interface Request {
  readonly method: string
  /** The path as sent, still encoded, without the query. */
  readonly path: string
  /** The query as sent, without the question mark. */
  readonly query: string
  /** Every value of a header, one for each time it was sent; names are lower case. Commas inside a value stay there. */
  header(name: string): readonly string[]
  /** The names of all headers, each once, in lower case. */
  headerNames(): Iterable<string>
  /**
   * The whole body. Fails with 413 above the limit, with 408 after the deadline, and when the client disconnects. The
   * first call reads it; later calls give the same bytes. `meter` is for that first call.
   */
  body(meter?: BodyMeter): Promise<Uint8Array>
  /** Aborts when the client goes away or the server stops. */
  readonly signal: AbortSignal
  /** Whether that has happened: much cheaper to ask than the signal, which is made for the first who wants it. */
  readonly hasLeft: boolean
  readonly peer: Peer
}

/** Called with the memory that each piece of a body takes as it arrives; throws to refuse the rest. */
export type BodyMeter = (bytes: number) => void

/** Who is at the other end of the connection. One object a connection, so that results can be cached by it. */
export interface Peer {
  readonly address: string
  /** What the client showed in the TLS handshake. It holds the matching key; whom to believe is for authentication. */
  readonly certificate: X509Certificate | undefined
}

/** An answer: a head, and either all bytes of the body or something that produces them. */
export interface Response {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: Uint8Array | BodyProducer
  /** Whether the body may be sent in gzip. Default false: events must not wait for others to be packed with. */
  readonly compressible?: boolean
}

/** Names are lower case. A list is sent as that many headers. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>

/** Writes a body piece by piece. It ends when the promise does; a rejection cuts the connection or stream. */
export type BodyProducer = (writer: BodyWriter) => Promise<void>

export interface BodyWriter {
  /** Sends bytes. Resolves at once while the client keeps up, otherwise when it has caught up. */
  write(chunk: Uint8Array): Promise<void>
  /** Bytes accepted but not yet taken by the client. */
  readonly pending: number
  /** Aborts when the client goes away or the server stops. */
  readonly signal: AbortSignal
}

/** Answers a request. Never rejects: failures are answers too. */
export type Handler = (request: Request) => Promise<Response>

/** The largest body of a request, as in kube-apiserver. */
export const maximumBodyBytes = 3 * 1024 * 1024

/** The deadline of a body, from the moment that the server starts to read it, in milliseconds. */
export const bodyTimeout = 60_000

/** What one piece of a body costs besides its bytes: without it, pieces of one byte each would be free. */
export const pieceOverhead = 128

/** A piece of a body that may be kept until the rest arrives: a small one must not hold the large buffer it came in. */
export function keptPiece(bytes: Buffer): Buffer {
  if (bytes.length * 4 >= bytes.buffer.byteLength) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** The failure of a body above the limit. */
export function entityTooLarge(): StatusError {
  return new StatusError('RequestEntityTooLarge', `Request entity too large: limit is ${maximumBodyBytes}`)
}

/** The failure of a body whose client went away before its end. */
export function unexpectedEnd(): StatusError {
  return badRequest('unexpected EOF')
}

/** The failure of a body that was not complete at its deadline. */
export function bodyTooSlow(): StatusError {
  return new StatusError('Timeout', `the body of the request did not arrive within ${bodyTimeout / 1000} s`)
}
