import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ClientDisconnects } from './client-disconnects.ts'
import type { Handler } from './exchange.ts'
import { http1Server } from './http1.ts'

const timeouts = { headersTimeout: 100, requestTimeout: 200, keepAliveTimeout: 100, connectionsCheckingInterval: 20 }

/** A front on a socket without TLS; POST answers after the body, GET streams until the client disconnects. */
async function openFront() {
  const failures: unknown[] = []
  const handler: Handler = async (request) => {
    if (request.path === '/stream')
      return {
        status: 200,
        headers: {},
        body: async ({ signal, write }) => {
          await write(Buffer.from('first'))
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        },
      }
    if (request.path === '/fails') throw new Error('a handler must not reject')
    if (request.method === 'POST') await request.body().catch((error) => failures.push(error))
    return { status: 200, headers: {}, body: Buffer.from('done') }
  }
  const front = http1Server(handler, () => ({ address: '', certificate: undefined }), new ClientDisconnects(), timeouts)
  const listener = createServer((socket) => front.emit('connection', socket))
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void listener.close())
  return { port: (listener.address() as AddressInfo).port, failures }
}

function client(port: number, bytes: string) {
  const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes))
  let said = ''
  socket.on('data', (chunk) => {
    said += chunk.toString()
  })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return { socket, closed: new Promise<string>((resolve) => socket.once('close', () => resolve(said))) }
}

test.each([
  ['a silent client', ''],
  ['an unfinished head', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ['an unfinished head of a second request', 'GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTT'],
])('closes the connection of %s', async (_, bytes) => {
  const { port } = await openFront()
  await client(port, bytes).closed
})

test('closes the connection of an unfinished body, and fails its reader', async () => {
  const { port, failures } = await openFront()
  await client(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345').closed
  await expect.poll(() => failures).toEqual([expect.objectContaining({ message: 'unexpected EOF' })])
})

test('closes an idle connection after its answer', async () => {
  const { port } = await openFront()
  expect(await client(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n').closed).toContain('200 OK')
})

test('closes the connection when a handler rejects', async () => {
  const { port } = await openFront()
  expect(await client(port, 'GET /fails HTTP/1.1\r\nHost: a\r\n\r\n').closed).toBe('')
})

test('keeps a connection whose answer streams longer than any timeout', async () => {
  const { port } = await openFront()
  const streaming = client(port, 'GET /stream HTTP/1.1\r\nHost: a\r\n\r\n')
  let isClosed = false
  void streaming.closed.then(() => {
    isClosed = true
  })
  // Started later, with the same timeouts: when these are closed, the stream has outlived them.
  for (const bytes of ['', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345'])
    await client(port, bytes).closed
  expect(isClosed).toBe(false)
})
