import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { send } from './attacker.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.remove())

const sockets: TLSSocket[] = []

afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

function open(protocol: 'h2' | 'http/1.1' = 'http/1.1'): Promise<TLSSocket> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false, ALPNProtocols: [protocol] })
    sockets.push(socket)
    socket.once('secureConnect', () => resolve(socket))
    socket.once('error', reject)
  })
}

// Whatever comes until the other side ends it.
function everything(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    let said = ''
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.once('close', () => resolve(said))
  })
}

const isWell = async () => expect((await send(server, { path: '/livez' })).status).toBe(200)

test('headers beyond the limit are refused, not read', async () => {
  await expect(send(server, { path: '/livez', headers: { 'x-large': 'a'.repeat(256 * 1024) } })).rejects.toThrow()
  await isWell()
})

test('thousands of headers are refused or passed over', async () => {
  const headers = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`x-${at}`, 'a']))
  const outcome = await send(server, { path: '/livez', headers }).catch(() => ({ status: 431 }))
  expect([200, 400, 431]).toContain(outcome.status)
  await isWell()
})

test.each([
  ['nonsense', 'GARBAGE\r\n\r\n'],
  ['two lengths', 'POST /api HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
  [
    'a length beside chunks',
    'POST /api HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/v1/secrets HTTP/1.1\r\nHost: a\r\n\r\n',
  ],
  ['a negative length', 'POST /api HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
  ['a broken chunk', 'POST /api HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n'],
  ['a header with a break in it', 'GET /livez HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n'],
])('%s ends the connection, and nothing of it is carried out', async (_, bytes) => {
  const socket = await open()
  const said = everything(socket)
  socket.write(bytes)
  const answer = await said
  expect(answer).not.toContain('200 OK')
  expect(answer).not.toContain('"items"')
  await isWell()
})

test('bytes that are no HTTP/2 end the connection', async () => {
  const socket = await open('h2')
  const said = everything(socket)
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await said
  await isWell()
})

test('clients that send their request a byte at a time hold up nobody', async () => {
  const slow = await Promise.all(Array.from({ length: 100 }, () => open()))
  for (const socket of slow) socket.write('G')
  const began = performance.now()
  await Promise.all(
    Array.from({ length: 20 }, () => send(server, { path: '/api/v1/namespaces', token: server.adminToken })),
  )
  expect(performance.now() - began).toBeLessThan(5000)
})

test('clients that never send the body they promised hold up nobody', async () => {
  const head = `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.adminToken}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`
  const slow = await Promise.all(Array.from({ length: 100 }, () => open()))
  for (const socket of slow) socket.write(head)
  const began = performance.now()
  await Promise.all(
    Array.from({ length: 20 }, () => send(server, { path: '/api/v1/namespaces', token: server.adminToken })),
  )
  expect(performance.now() - began).toBeLessThan(5000)
})

test('clients that do not read what they asked for hold up nobody', async () => {
  const ask = `GET /api/v1/namespaces?watch=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.adminToken}\r\n\r\n`
  const deaf = await Promise.all(Array.from({ length: 50 }, () => open()))
  for (const socket of deaf) {
    socket.pause()
    socket.write(ask)
  }
  await isWell()
})
