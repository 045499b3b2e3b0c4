import {
  createServer as createHttp2Server,
  connect as http2Connect,
  type ServerHttp2Stream,
  type Settings,
} from 'node:http2'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { frame, frameTypes, numberFrame, settingsFrame } from '@hykube/http2/frames'
import { encodeHeaders } from '@hykube/http2/hpack'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectGrpc } from './connect.ts'
import type { GrpcClient } from './grpc-client.ts'
import { GrpcServer } from './grpc-server.ts'

const hello = settingsFrame([])
const nothing = new Uint8Array(0)
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const okHeaders = encodeHeaders([
  [':status', '200'],
  ['content-type', 'application/grpc'],
])
const okTrailers = encodeHeaders([['grpc-status', '0']])

describe('a client of a misbehaving server', () => {
  const cases: [string, Buffer, string][] = [
    ['speaks HTTP/1', Buffer.from('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'), 'too large'],
    ['sends a frame that is too large', Buffer.concat([hello, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 1])]), 'too large'],
    ['does not begin with settings', frame(frameTypes.PING, 0, 0, new Uint8Array(8)), 'SETTINGS'],
    ['sends settings that end early', frame(frameTypes.SETTINGS, 0, 0, new Uint8Array(5)), 'wrong length'],
    ['sends data for a stream that was never opened', after(frame(0, 0, 99, Buffer.from('x'))), 'never opened'],
    ['pushes', after(frame(frameTypes.PUSH_PROMISE, 4, 1, new Uint8Array(4))), 'PUSH_PROMISE'],
    ['enlarges a window above the maximum', after(numberFrame(8, 0, 0x7fffffff)), 'exceeds'],
    ['enlarges a window by zero', after(numberFrame(8, 0, 0)), 'window update of 0'],
    ['sends malformed headers', after(frame(1, 4, 1, Buffer.from('ffffff', 'hex'))), 'headers end early'],
    [
      'never ends a header block',
      after(...Array.from({ length: 200 }, (_, i) => frame(i === 0 ? 1 : 9, 0, 1, Buffer.alloc(16000)))),
      'too large',
    ],
    [
      'sends endless empty CONTINUATION frames',
      after(frame(1, 0, 1, nothing), ...Array(200).fill(frame(9, 0, 1, nothing))),
      'too large',
    ],
    [
      'interrupts a header block',
      after(frame(1, 0, 1, nothing), frame(6, 0, 0, new Uint8Array(8))),
      'inside of a header block',
    ],
    ['sends a window of more than 2³¹', Buffer.concat([hello, settingsFrame([[4, 0xffffffff]])]), 'too large'],
    ['sends an invalid frame size', Buffer.concat([hello, settingsFrame([[5, 1]])]), 'not allowed'],
    ['closes at once', Buffer.alloc(0), 'closed'],
  ]

  test.each(cases)('%s: every call fails with the cause', async (_, answer, words) => {
    const { port } = await rawServer((socket) => socket.end(answer))
    const outcome = await firstCall(port)
    expect(outcome).toMatch(words)
  })

  const violations: [string, Buffer[], string][] = [
    ['sends more than the window allows', Array(120).fill(frame(0, 0, 1, message(16_000))), 'window allows'],
    ['sends more padding than content', [frame(0, 8, 1, Buffer.from([200, 1]))], 'padding'],
    [
      'sends data after the end of the stream',
      [frame(0, 1, 1, nothing), frame(0, 0, 1, nothing), frame(0, 0, 7, nothing)],
      'never opened',
    ],
  ]
  test.each(violations)('%s: the connection closes with the cause', async (_, frames, words) => {
    const answer = Buffer.concat([frame(1, 4, 1, okHeaders), ...frames])
    const { port } = await rawServer((socket) => onFirstCall(socket, () => socket.write(answer)))
    const client = await connected(port)
    // The stream is not read, so its window is never returned and the flood exceeds it.
    client.serverStream('/a/b', nothing)
    expect(String(await client.closed)).toMatch(words)
  })

  const answers: [string, Buffer, string][] = [
    ['ends without a status', Buffer.concat([frame(1, 4, 1, okHeaders), frame(0, 1, 1, nothing)]), 'without a status'],
    [
      'sends two messages',
      Buffer.concat([frame(1, 4, 1, okHeaders), frame(0, 0, 1, Buffer.alloc(10))]),
      'more than one message',
    ],
    [
      'sends no message',
      Buffer.concat([frame(1, 4, 1, okHeaders), frame(1, 5, 1, okTrailers)]),
      'without a response message',
    ],
    [
      'ends within a message',
      Buffer.concat([
        frame(1, 4, 1, okHeaders),
        frame(0, 0, 1, Buffer.from([0, 0, 0, 0, 9, 1])),
        frame(1, 5, 1, okTrailers),
      ]),
      'within a message',
    ],
    [
      'compresses a message',
      Buffer.concat([frame(1, 4, 1, okHeaders), frame(0, 0, 1, Buffer.from([1, 0, 0, 0, 0]))]),
      'compressed',
    ],
    [
      'announces 4 GB',
      Buffer.concat([frame(1, 4, 1, okHeaders), frame(0, 0, 1, Buffer.from([0, 255, 255, 255, 255]))]),
      'larger than',
    ],
    [
      'answers as a web server',
      frame(
        1,
        4,
        1,
        encodeHeaders([
          [':status', '404'],
          ['content-type', 'text/html'],
        ]),
      ),
      'does not speak gRPC',
    ],
    [
      'sends an invalid status',
      frame(
        1,
        5,
        1,
        encodeHeaders([
          [':status', '200'],
          ['grpc-status', 'x'],
        ]),
      ),
      'UNKNOWN',
    ],
    ['resets', numberFrame(3, 1, 2), 'INTERNAL_ERROR'],
  ]
  test.each(answers)('%s: the call fails with the cause, and the next one succeeds', async (_, answer, words) => {
    const { port } = await rawServer((socket) =>
      onFirstCall(socket, () => {
        socket.write(answer)
        socket.write(
          Buffer.concat([
            frame(1, 4, 3, okHeaders),
            frame(0, 0, 3, Buffer.from([0, 0, 0, 0, 1, 7])),
            frame(1, 5, 3, okTrailers),
          ]),
        )
      }),
    )
    const client = await connected(port)
    const [first, second] = await Promise.allSettled([client.unary('/a/b', nothing), client.unary('/a/b', nothing)])
    expect(String((first as PromiseRejectedResult).reason)).toMatch(words)
    expect(second).toMatchObject({ status: 'fulfilled' })
  })

  test('a refused stream and a GOAWAY mark the call as never processed', async () => {
    const goaway = frame(7, 0, 0, Buffer.concat([Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]), Buffer.from('bye')]))
    const { port } = await rawServer((socket) =>
      onFirstCall(socket, () => socket.write(Buffer.concat([numberFrame(3, 1, 7), goaway]))),
    )
    const client = await connected(port)
    const outcomes = await Promise.allSettled([client.unary('/a/b', nothing), client.unary('/a/b', nothing)])
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ reason: { status: 'UNAVAILABLE', neverProcessed: true } })
  })

  test('connecting times out when the server sends no SETTINGS', async () => {
    const { port } = await rawServer(() => {})
    await expect(connectGrpc({ kind: 'tcp', host: '127.0.0.1', port }, { timeout: 50 })).rejects.toThrow(
      'no SETTINGS frame',
    )
  })

  test('random bytes from a server never hang or crash a client', async () => {
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc
        .array(fc.tuple(fc.nat(10), fc.nat(255), fc.nat(5), fc.uint8Array({ maxLength: 40 })), { maxLength: 10 })
        .map((frames) =>
          Buffer.concat([hello, ...frames.map(([type, flags, id, body]) => frame(type, flags, id, body))]),
        ),
    )
    await fc.assert(
      fc.asyncProperty(garbage, async (bytes) => {
        const { port, close } = await rawServer((socket) => socket.end(bytes))
        await firstCall(port)
        close()
      }),
      { numRuns: 150 },
    )
  })
})

describe('a server with a misbehaving client', () => {
  test('random bytes are answered by GOAWAY or nothing, and other clients are still served', async () => {
    const { port } = await ownServer()
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc
        .array(fc.tuple(fc.nat(10), fc.nat(255), fc.nat(5), fc.uint8Array({ maxLength: 40 })), { maxLength: 10 })
        .map((frames) =>
          Buffer.concat([preface, hello, ...frames.map(([type, flags, id, body]) => frame(type, flags, id, body))]),
        ),
    )
    await fc.assert(
      fc.asyncProperty(garbage, async (bytes) => {
        await new Promise<void>((resolve) => {
          const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
          socket.on('error', () => {})
          socket.on('close', () => resolve())
          socket.resume()
        })
      }),
      { numRuns: 150 },
    )
    const client = await connected(port)
    expect(Buffer.from(await client.unary('/test/Echo', Buffer.from('still here'))).toString()).toBe('still here')
  })

  test('calls above the stream limit are refused, not queued', async () => {
    const { port } = await ownServer()
    const session = http2Connect(`http://127.0.0.1:${port}`)
    onTestFinished(() => session.destroy())
    const settings = await new Promise<{ maxConcurrentStreams?: number }>((resolve) =>
      session.on('remoteSettings', resolve),
    )
    expect(settings.maxConcurrentStreams).toBe(1000)
  })
})

describe("interoperability with Node's HTTP/2", () => {
  test.each<[string, Settings]>([
    ['as it is', {}],
    ['with small windows and few calls at once', { initialWindowSize: 1000, maxConcurrentStreams: 2 }],
    ['with large frames', { maxFrameSize: 1_000_000, initialWindowSize: 10_000_000 }],
  ])('our client calls its server %s', async (_, settings) => {
    let [open, most] = [0, 0]
    const server = createHttp2Server({ settings })
    server.on('stream', (stream: ServerHttp2Stream) => {
      const parts: Buffer[] = []
      most = Math.max(most, ++open)
      stream.on('close', () => open--)
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      stream.on('end', () => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
        stream.end(Buffer.concat(parts))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const client = await connected((server.address() as AddressInfo).port)
    const messages = Array.from({ length: 20 }, (_, i) => Buffer.alloc(i * 20_000, `${i}`))
    const answers = await Promise.all(messages.map((sent) => client.unary('/a/b', sent)))
    answers.forEach((answer, i) => {
      expect(Buffer.compare(answer, messages[i]!)).toBe(0)
    })
    expect(most).toBeLessThanOrEqual(settings.maxConcurrentStreams ?? 20)
    client.destroy()
  })

  test('its client calls our server', async () => {
    const { port } = await ownServer()
    const session = http2Connect(`http://127.0.0.1:${port}`)
    onTestFinished(() => session.destroy())
    const answer = await new Promise<{ body: Buffer; status: unknown }>((resolve, reject) => {
      const call = session.request({
        ':method': 'POST',
        ':path': '/test/Echo',
        'content-type': 'application/grpc',
        te: 'trailers',
      })
      const parts: Buffer[] = []
      let status: unknown
      call.on('data', (part: Buffer) => parts.push(part))
      call.on('trailers', (trailers) => {
        status = trailers['grpc-status']
      })
      call.on('end', () => resolve({ body: Buffer.concat(parts), status }))
      call.on('error', reject)
      call.end(Buffer.from([0, 0, 0, 0, 2, 104, 105]))
    })
    expect(answer).toEqual({ body: Buffer.from([0, 0, 0, 0, 2, 104, 105]), status: '0' })
  })
})

function message(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUInt32BE(length - 5, 1)
  return bytes
}

function after(...frames: readonly Uint8Array[]): Buffer {
  return Buffer.concat([hello, ...frames])
}

/** Sends SETTINGS, and calls `then` when the headers of a call have arrived. */
function onFirstCall(socket: Socket, then: () => void): void {
  socket.write(hello)
  let seen = Buffer.alloc(0)
  const look = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk])
    if (!seen.includes('/a/b')) return
    socket.off('data', look)
    socket.resume()
    then()
  }
  socket.on('data', look)
}

async function rawServer(serve: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.resume()
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => void server.close()
  onTestFinished(close)
  return { port: (server.address() as AddressInfo).port, close }
}

async function ownServer() {
  const server = new GrpcServer(new Map([['/test/Echo', { kind: 'unary', handle: (request) => request }]]))
  const listener = createServer((socket) => server.accept(socket))
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.destroy()
    listener.close()
  })
  return { port: (listener.address() as AddressInfo).port }
}

async function connected(port: number): Promise<GrpcClient> {
  const client = await connectGrpc({ kind: 'tcp', host: '127.0.0.1', port })
  onTestFinished(() => client.destroy())
  return client
}

/** Returns the error message of the first call to a server. */
async function firstCall(port: number): Promise<string> {
  try {
    const client = await connectGrpc({ kind: 'tcp', host: '127.0.0.1', port }, { timeout: 5000 })
    await client.unary('/a/b', nothing, { timeout: 5000 })
    return 'it succeeded'
  } catch (error) {
    return (error as Error).message
  }
}
