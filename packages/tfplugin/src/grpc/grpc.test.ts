import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as oracle from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectGrpc } from './connect.ts'
import { GrpcClient } from './grpc-client.ts'
import { GrpcError } from './grpc-error.ts'
import { GrpcServer } from './grpc-server.ts'
import type { GrpcHandler } from './server-call.ts'

const directory = mkdtempSync(join(tmpdir(), 'hykube-grpc-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (message: Uint8Array) => new TextDecoder().decode(message)

async function* countdown(from: number): AsyncGenerator<Uint8Array> {
  for (let i = from; i > 0; i--) yield bytes(String(i))
}

const handlers = new Map<string, GrpcHandler>([
  ['/test.Echo/Say', { kind: 'unary', handle: (request) => request }],
  [
    '/test.Echo/Fail',
    {
      kind: 'unary',
      handle: () => {
        throw new GrpcError('FAILED_PRECONDITION', 'naïve 100% “no”\nreally')
      },
    },
  ],
  ['/test.Echo/Count', { kind: 'server-stream', handle: (request) => countdown(Number(text(request))) }],
  ['/test.Echo/Large', { kind: 'unary', handle: (request) => new Uint8Array(Number(text(request))).fill(7) }],
  [
    '/test.Echo/Wait',
    {
      kind: 'unary',
      handle: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    },
  ],
  [
    '/test.Echo/Chat',
    {
      kind: 'bidi',
      handle: async function* (requests) {
        for await (const request of requests) yield bytes(`re: ${text(request)}`)
      },
    },
  ],
])

/** Common interface of our client and grpc-js, so that the same tests run on every pair of client and server. */
interface Caller {
  unary(method: string, request: Uint8Array, options?: { timeout?: number }): Promise<Uint8Array>
  serverStream(method: string, request: Uint8Array): AsyncIterable<Uint8Array>
  chat(method: string, requests: Uint8Array[]): Promise<string[]>
  close(): void
}

interface Pair {
  readonly name: string
  start(path: string): Promise<{ caller: Caller; stop: () => Promise<void> }>
}

const pairs: Pair[] = [
  { name: 'our client and our server', start: (path) => pairOf(ourServer(path), ourCaller) },
  { name: 'our client and grpc-js’ server', start: (path) => pairOf(oracleServer(path), ourCaller) },
  { name: 'grpc-js’ client and our server', start: (path) => pairOf(ourServer(path), oracleCaller) },
]

describe.each(pairs)('$name', ({ name, start }) => {
  let caller: Caller
  let stop: () => Promise<void>
  beforeAll(async () => {
    const started = await start(join(directory, `${pairs.findIndex((pair) => pair.name === name)}.sock`))
    caller = started.caller
    stop = started.stop
  })
  afterAll(() => stop())

  test('a unary call returns the response', async () => {
    expect(text(await caller.unary('/test.Echo/Say', bytes('hello')))).toBe('hello')
    expect(text(await caller.unary('/test.Echo/Say', bytes('')))).toBe('')
  })

  test('concurrent calls receive their own responses', async () => {
    const all = Array.from({ length: 500 }, (_, i) => caller.unary('/test.Echo/Say', bytes(`${i}`.repeat(50))))
    expect((await Promise.all(all)).map(text)).toEqual(Array.from({ length: 500 }, (_, i) => `${i}`.repeat(50)))
  })

  test('concurrent large messages pass flow control', async () => {
    const large = new Uint8Array(3_000_000).map((_, i) => i * 7)
    const back = await Promise.all([1, 2, 3].map(() => caller.unary('/test.Echo/Say', large)))
    for (const message of back) expect(Buffer.compare(message, large)).toBe(0)
  })

  test('an error carries its status and message', async () => {
    await expect(caller.unary('/test.Echo/Fail', bytes(''))).rejects.toMatchObject({
      status: 'FAILED_PRECONDITION',
      message: 'naïve 100% “no”\nreally',
    })
  })

  test('an unknown method is UNIMPLEMENTED', async () => {
    await expect(caller.unary('/test.Echo/Nothing', bytes(''))).rejects.toMatchObject({ status: 'UNIMPLEMENTED' })
  })

  test('a deadline ends a call', async () => {
    const call = caller.unary('/test.Echo/Wait', bytes(''), { timeout: 30 })
    await expect(call).rejects.toMatchObject({ status: 'DEADLINE_EXCEEDED' })
  })

  test('streamed messages arrive in order', async () => {
    const seen: string[] = []
    for await (const message of caller.serverStream('/test.Echo/Count', bytes('1000'))) seen.push(text(message))
    expect(seen).toEqual(Array.from({ length: 1000 }, (_, i) => String(1000 - i)))
  })

  test('a bidirectional call exchanges messages', async () => {
    expect(await caller.chat('/test.Echo/Chat', ['a', 'b', 'c'].map(bytes))).toEqual(['re: a', 're: b', 're: c'])
  })
})

describe('our client', () => {
  test('reports its own deadline before the later one of the server', async () => {
    const { client } = await ownPair()
    expect(text(await client.unary('/test.Echo/Timeout', bytes(''), { timeout: 5000 }))).toBe('6000m')
    await expect(client.unary('/test.Echo/Wait', bytes(''), { timeout: 5 })).rejects.toThrow(
      'there was no answer within 5 ms',
    )
  })

  test('cancels the call on the server when the reader stops', async () => {
    const { client, stopped } = await ownPair()
    let seen = 0
    for await (const _ of client.serverStream('/test.Echo/Forever', bytes(''))) if (++seen === 3) break
    await stopped
    expect(seen).toBe(3)
  })

  test('slows the server down when the reader does not read', async () => {
    const { client, progress } = await ownPair()
    const stream = client.serverStream('/test.Echo/Flood', bytes(''))[Symbol.asyncIterator]()
    await stream.next()
    // A unary call on the same connection shows that the unread stream does not block other streams.
    for (let i = 0; i < 50; i++) await client.unary('/test.Echo/Say', bytes('x'))
    expect(progress()).toBeLessThan(100)
    let taken = 1
    while (taken < 500 && !(await stream.next()).done) taken++
    expect(taken).toBe(500)
    await stream.return?.()
  })

  test("cancels a call with the signal's reason", async () => {
    const { client } = await ownPair()
    const controller = new AbortController()
    const call = client.unary('/test.Echo/Wait', bytes(''), { signal: controller.signal })
    controller.abort(new Error('shutting down'))
    await expect(call).rejects.toMatchObject({ status: 'CANCELLED', message: expect.stringContaining('shutting down') })
    const late = client.unary('/test.Echo/Say', bytes(''), { signal: controller.signal })
    await expect(late).rejects.toMatchObject({ status: 'CANCELLED' })
    expect(text(await client.unary('/test.Echo/Say', bytes('still here')))).toBe('still here')
  })

  test('rejects a message that is too large on either side', async () => {
    const { client } = await ownPair({ largestMessage: 1000 })
    const exhausted = { status: 'RESOURCE_EXHAUSTED' }
    await expect(client.unary('/test.Echo/Large', bytes('2000'))).rejects.toMatchObject(exhausted)
    await expect(client.unary('/test.Echo/Say', new Uint8Array(2000))).rejects.toMatchObject(exhausted)
    expect(text(await client.unary('/test.Echo/Say', bytes('fine')))).toBe('fine')
  })

  test('applies a smaller message limit of one call', async () => {
    const { client } = await ownPair()
    const small = { largestAnswer: 1000 }
    await expect(client.unary('/test.Echo/Large', bytes('2000'), small)).rejects.toMatchObject({
      status: 'RESOURCE_EXHAUSTED',
    })
    expect((await client.unary('/test.Echo/Large', bytes('2000'))).length).toBe(2000)
  })

  test('bounds the bytes that incomplete responses hold together', async () => {
    const size = 4 * 2 ** 20
    const { client } = await ownPair({ largestMessage: size, mostHeld: 2 * size })
    const large = () => client.unary('/test.Echo/Large', bytes(String(size)))
    const outcomes = await Promise.allSettled(Array.from({ length: 16 }, large))
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused as PromiseRejectedResult[])
      expect(reason).toMatchObject({
        status: 'RESOURCE_EXHAUSTED',
        message: expect.stringContaining('incomplete responses'),
      })
    // A failed call returns its bytes to the shared limit.
    for (let i = 0; i < 4; i++) expect((await large()).length).toBe(size)
  })

  test('fails every call when the connection is lost, and marks later calls as never processed', async () => {
    const { client, server } = await ownPair()
    const waiting = client.unary('/test.Echo/Wait', bytes(''))
    await client.unary('/test.Echo/Say', bytes(''))
    server.destroy()
    await expect(waiting).rejects.toMatchObject({ status: 'UNAVAILABLE', neverProcessed: false })
    await client.closed
    const next = client.unary('/test.Echo/Say', bytes(''))
    await expect(next).rejects.toMatchObject({ status: 'UNAVAILABLE', neverProcessed: true })
  })

  test('finishes calls in flight on close', async () => {
    const { client } = await ownPair()
    const call = client.unary('/test.Echo/Large', bytes('5000000'))
    await client.unary('/test.Echo/Say', bytes(''))
    await client.close()
    expect((await call).length).toBe(5_000_000)
    expect(await client.closed).toBeUndefined()
  })

  test('finishes calls in flight when the server closes', async () => {
    const { client, server } = await ownPair()
    const call = client.unary('/test.Echo/Large', bytes('5000000'))
    await client.unary('/test.Echo/Say', bytes(''))
    const closing = server.close()
    expect((await call).length).toBe(5_000_000)
    await closing
    await expect(client.unary('/test.Echo/Say', bytes(''))).rejects.toMatchObject({ neverProcessed: true })
  })

  test('carries a message of 256 MiB', async () => {
    const { client } = await ownPair()
    const large = new Uint8Array(256 * 1024 * 1024)
    large[large.length - 1] = 9
    const back = await client.unary('/test.Echo/Say', large)
    expect([back.length, back.at(-1)]).toEqual([large.length, 9])
  })

  test('names the address it could not connect to', async () => {
    await expect(connectGrpc({ kind: 'unix', path: '/nowhere/at/all.sock' })).rejects.toThrow(
      /cannot connect to the gRPC server at \/nowhere\/at\/all.sock: .*ENOENT/,
    )
  })
})

let sockets = 0

async function ownPair(options: { largestMessage?: number; mostHeld?: number } = {}) {
  let floods = 0
  let setStopped!: () => void
  const stopped = new Promise<void>((resolve) => {
    setStopped = resolve
  })
  const more = new Map<string, GrpcHandler>([
    ...handlers,
    [
      '/test.Echo/Timeout',
      {
        kind: 'unary',
        handle: async (_, { headers }) => bytes(headers.find(([name]) => name === 'grpc-timeout')?.[1] ?? 'none'),
      },
    ],
    [
      '/test.Echo/Forever',
      {
        kind: 'server-stream',
        handle: async function* () {
          try {
            for (;;) yield bytes('again')
          } finally {
            setStopped()
          }
        },
      },
    ],
    [
      '/test.Echo/Flood',
      {
        kind: 'server-stream',
        handle: async function* () {
          for (; floods < 500; floods++) yield new Uint8Array(100_000)
        },
      },
    ],
  ])
  const path = join(directory, `own-${sockets++}.sock`)
  const server = new GrpcServer(more, options)
  const listener = await listening(path, server)
  const client = await connectGrpc({ kind: 'unix', path }, options)
  onTestFinished(() => {
    client.destroy()
    server.destroy()
    listener.close()
  })
  return { client, server, stopped, progress: () => floods }
}

function listening(path: string, server: GrpcServer): Promise<Server> {
  const listener = createServer((socket) => server.accept(socket))
  return new Promise((resolve) => listener.listen(path, () => resolve(listener)))
}

async function pairOf(
  starting: Promise<{ path: string; stop: () => Promise<void> | void }>,
  connect: (path: string) => Promise<Caller>,
) {
  const { path, stop } = await starting
  const caller = await connect(path)
  return {
    caller,
    stop: async () => {
      caller.close()
      await stop()
    },
  }
}

async function ourServer(path: string) {
  const server = new GrpcServer(handlers)
  const listener = await listening(path, server)
  return {
    path,
    stop: () => {
      server.destroy()
      listener.close()
    },
  }
}

async function ourCaller(path: string): Promise<Caller> {
  const client: GrpcClient = await connectGrpc({ kind: 'unix', path })
  expect(client).toBeInstanceOf(GrpcClient)
  return {
    unary: (method, request, options) => client.unary(method, request, options),
    serverStream: (method, request) => client.serverStream(method, request),
    chat: async (method, requests) => {
      const call = client.bidi(method)
      for (const request of requests) await call.send(request)
      call.end()
      const seen: string[] = []
      for await (const message of call.messages) seen.push(text(message))
      return seen
    },
    close: () => client.destroy(),
  }
}

const identity = (message: Buffer) => message
const asIs = {
  requestSerialize: identity,
  requestDeserialize: identity,
  responseSerialize: identity,
  responseDeserialize: identity,
}
const definition: oracle.ServiceDefinition = {
  Say: { path: '/test.Echo/Say', requestStream: false, responseStream: false, ...asIs },
  Fail: { path: '/test.Echo/Fail', requestStream: false, responseStream: false, ...asIs },
  Wait: { path: '/test.Echo/Wait', requestStream: false, responseStream: false, ...asIs },
  Count: { path: '/test.Echo/Count', requestStream: false, responseStream: true, ...asIs },
  Chat: { path: '/test.Echo/Chat', requestStream: true, responseStream: true, ...asIs },
}

async function oracleServer(path: string) {
  const server = new oracle.Server({ 'grpc.max_receive_message_length': -1 })
  server.addService(definition, {
    Say: (call: oracle.ServerUnaryCall<Buffer, Buffer>, done: oracle.sendUnaryData<Buffer>) => done(null, call.request),
    Fail: (_: unknown, done: oracle.sendUnaryData<Buffer>) =>
      done({ code: oracle.status.FAILED_PRECONDITION, details: 'naïve 100% “no”\nreally' }),
    Wait: () => {},
    Count: async (call: oracle.ServerWritableStream<Buffer, Buffer>) => {
      for await (const message of countdown(Number(text(call.request)))) call.write(Buffer.from(message))
      call.end()
    },
    Chat: (call: oracle.ServerDuplexStream<Buffer, Buffer>) => {
      call.on('data', (message: Buffer) => call.write(Buffer.from(`re: ${message}`)))
      call.on('end', () => call.end())
    },
  })
  await new Promise<void>((resolve, reject) =>
    server.bindAsync(`unix:${path}`, oracle.ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(),
    ),
  )
  return { path, stop: () => server.forceShutdown() }
}

async function oracleCaller(path: string): Promise<Caller> {
  const client = new oracle.Client(`unix:${path}`, oracle.credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  })
  const named = (error: oracle.ServiceError) =>
    new GrpcError(oracle.status[error.code] as GrpcError['status'], error.details)
  return {
    unary: (method, request, options) =>
      new Promise((resolve, reject) => {
        const deadline = options?.timeout === undefined ? {} : { deadline: Date.now() + options.timeout }
        client.makeUnaryRequest(method, identity, identity, Buffer.from(request), deadline, (error, response) =>
          error === null ? resolve(response!) : reject(named(error)),
        )
      }),
    serverStream: (method, request) => client.makeServerStreamRequest(method, identity, identity, Buffer.from(request)),
    chat: async (method, requests) => {
      const call = client.makeBidiStreamRequest(method, identity, identity)
      for (const request of requests) call.write(Buffer.from(request))
      call.end()
      const seen: string[] = []
      for await (const message of call) seen.push(text(message as Buffer))
      return seen
    },
    close: () => client.close(),
  }
}
