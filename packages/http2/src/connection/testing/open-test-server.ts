import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { fieldValue, type HeaderField, HpackEncoder } from '../../hpack/index.ts'
import { Http2Connection } from '../http2-connection.ts'
import type { Http2Stream, StreamEvents } from '../http2-stream.ts'

/** Starts a server that answers by path: /stuck never, /big with 1 MiB, /echo with the request's body, others with `ok`. */
export async function openTestServer(): Promise<{ readonly port: number }> {
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => {
    sockets.add(socket)
    serve(socket)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    listener.close()
  })
  return { port: (listener.address() as AddressInfo).port }
}

function serve(socket: Socket): void {
  const encoder = new HpackEncoder(new Set())
  const connection: Http2Connection = new Http2Connection(socket, limits, {
    ready() {},
    headerTable: (size) => encoder.limitTable(size),
    opened: (stream, fields, endStream) => answer(connection, encoder, stream, fields, endStream),
    goingAway() {},
    streamEnded() {},
    closed() {},
  })
}

const limits = {
  role: 'server',
  maxStreams: 250,
  streamWindow: 65_535,
  headerTable: 4096,
  largestHeaders: 64 * 1024,
  largestQueue: 128 * 1024 * 1024,
  floodLimits: { burst: 1000, perSecond: 100 },
} as const

function answer(
  connection: Http2Connection,
  encoder: HpackEncoder,
  stream: Http2Stream,
  fields: readonly HeaderField[],
  endStream: boolean,
): StreamEvents {
  const path = fieldValue(fields, ':path')
  const received: Buffer[] = []
  const respond = () => {
    if (path === '/stuck') return
    encoder.begin()
    encoder.field(':status', '200')
    connection.sendHeaders(stream, encoder.end(), false)
    connection.send(stream, bodies.get(path) ?? Buffer.concat(received), true)
  }
  if (endStream) respond()
  return {
    headers: (_, end) => end && respond(),
    data: (bytes, end) => {
      received.push(bytes)
      if (path !== '/stuck') connection.consume(stream, bytes.length)
      if (end) respond()
    },
    reset() {},
    lost() {},
  }
}

const bodies: ReadonlyMap<string | undefined, Buffer> = new Map([
  ['/', Buffer.from('ok')],
  ['/big', Buffer.alloc(1 << 20, 'b')],
])
