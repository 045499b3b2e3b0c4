import type { X509Certificate } from 'node:crypto'
import { badRequest, StatusError } from '@hykube/machinery/status'

/** A request, independent of the version of HTTP. */
export interface Request {
  readonly method: string
  /** The path as sent: still percent-encoded, without the query. */
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
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal
  /** True after the signal aborted. Cheaper than reading {@link signal}, which is created on first use. */
  readonly isDisconnected: boolean
  readonly peer: Peer
}

/** Called with the memory that each piece of a body takes as it arrives; throws to refuse the rest. */
export type BodyMeter = (bytes: number) => void

/** The client side of a connection. One object per connection, so that results can be cached by it. */
export interface Peer {
  readonly address: string
  /** Client certificate of the TLS handshake. The client holds the key; authentication decides which issuer is trusted. */
  readonly certificate: X509Certificate | undefined
}

/** A response; the body is either complete or produced while it is sent. */
export interface Response {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: Uint8Array | BodyProducer
  /** True when the body may be gzipped. Default false: a compressor would hold watch events back. */
  readonly compressible?: boolean
}

/** Names are lower case. A list is sent as that many headers. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>

/** Writes a body in pieces. The body ends when the promise resolves; a rejection resets the stream or connection. */
export type BodyProducer = (writer: BodyWriter) => Promise<void>

export interface BodyWriter {
  /** Sends bytes. Resolves at once while the client keeps up, otherwise when everything queued was sent. */
  write(chunk: Uint8Array): Promise<void>
  /** Bytes queued for the client. */
  readonly pending: number
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal
}

/** Answers a request. Never rejects: failures become responses. */
export type Handler = (request: Request) => Promise<Response>

/** Largest request body, as in kube-apiserver. */
export const maximumBodyBytes = 3 * 1024 * 1024

/** Deadline of a body in milliseconds, counted from the moment the server starts to read it. */
export const bodyTimeout = 60_000

/** Memory counted per piece of a body beside its bytes, so that many pieces of one byte each are not free. */
export const pieceOverhead = 128

/** Copies a small piece of a body, so that it does not keep the large buffer it arrived in alive. */
export function keptPiece(bytes: Buffer): Buffer {
  if (bytes.length * 4 >= bytes.buffer.byteLength) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** Error for a body above the limit. */
export function entityTooLarge(): StatusError {
  return new StatusError('RequestEntityTooLarge', `Request entity too large: limit is ${maximumBodyBytes}`)
}

/** Error for a body whose client disconnected before its end. */
export function unexpectedEnd(): StatusError {
  return badRequest('unexpected EOF')
}

/** Error for a body that was incomplete at its deadline. */
export function bodyTooSlow(): StatusError {
  return new StatusError('Timeout', `the body of the request did not arrive within ${bodyTimeout / 1000} s`)
}
