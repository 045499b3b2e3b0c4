import type { Http2Connection, Http2Stream } from '../http2/index.ts'

/** Sends a message with gRPC's five bytes in front. It must not be changed until the stream has drained. */
export function sendMessage(connection: Http2Connection, stream: Http2Stream, message: Uint8Array, end: boolean): void {
  const { length } = message
  prefix[1] = length >>> 24
  prefix[2] = length >>> 16
  prefix[3] = length >>> 8
  prefix[4] = length
  connection.send(stream, message, end, prefix)
}

const prefix = new Uint8Array(5)
