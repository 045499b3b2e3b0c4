import type { Http2Connection, Http2Stream } from '@hykube/http2/connection'

/**
 * Sends a message behind gRPC's five-byte prefix: a compression flag and the length. The caller must not change the
 * message until the stream has drained.
 */
export function sendMessage(connection: Http2Connection, stream: Http2Stream, message: Uint8Array, end: boolean): void {
  const { length } = message
  prefix[1] = length >>> 24
  prefix[2] = length >>> 16
  prefix[3] = length >>> 8
  prefix[4] = length
  connection.send(stream, message, end, prefix)
}

// Shared by all calls: the sender copies the prefix before it returns.
const prefix = new Uint8Array(5)
