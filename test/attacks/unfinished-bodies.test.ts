import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { openSession } from './session.ts'

let server: TestServer
let directory: string
const ends: (() => void)[] = []
const noRoles = 'token-without-roles'
const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hykube-unfinished-'))
  const tokens = join(directory, 'tokens.csv')
  writeFileSync(tokens, `${noRoles},nora,1\n`)
  const limits = ['--max-connections-per-address', '600', '--max-connections', '700']
  server = await startServer({ arguments: ['--store', 'memory:', '--token-auth-file', tokens, ...limits] })
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
})
afterAll(async () => {
  await server?.remove()
  rmSync(directory, { recursive: true, force: true })
})

// Resolves when the connection is open and the request is sent as far as it goes.
function unfinishedHttp1(): Promise<void> {
  const { hostname, port } = new URL(server.url)
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${noRoles}\r\nContent-Type: application/json\r\n`
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () =>
      socket.write(`${head}Content-Length: 1000000\r\n\r\n{`, () => resolve()),
    )
    socket.on('error', reject)
    ends.push(() => socket.destroy())
  })
}

async function unfinishedHttp2(streams: number): Promise<void> {
  const session = connectHttp2(server.url, { rejectUnauthorized: false })
  session.on('error', () => {})
  ends.push(() => session.destroy())
  await once(session, 'connect')
  for (let at = 0; at < streams; at++) {
    const stream = session.request({ ':method': 'POST', ':path': path, authorization: `Bearer ${noRoles}` })
    stream.on('error', () => {})
    stream.write('{')
  }
  // The answer to a ping comes after all that was sent before it.
  await new Promise<void>((resolve, reject) => session.ping((error) => (error ? reject(error) : resolve())))
}

/** The slowest but one of an administrator's reads: one outlier is the machine's. */
async function slowReads(): Promise<number> {
  const session = openSession(server)
  ends.push(() => session.close())
  const read = () => session.send({ path: '/api/v1/namespaces/default', token: server.adminToken })
  await read()
  const times: number[] = []
  for (let at = 0; at < 40; at++) {
    const began = performance.now()
    expect((await read()).status).toBe(200)
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b).at(-2)!
}

test('500 unfinished HTTP/1 bodies of an account without roles delay no one', { timeout: 60_000 }, async () => {
  await Promise.all(Array.from({ length: 500 }, unfinishedHttp1))
  expect(await slowReads()).toBeLessThan(250)
})

test('500 unfinished HTTP/2 streams of an account without roles delay no one', { timeout: 30_000 }, async () => {
  await Promise.all([unfinishedHttp2(250), unfinishedHttp2(250)])
  expect(await slowReads()).toBeLessThan(250)
})

test('an account whose bodies are unfinished is served by the seats that it left free', async () => {
  await unfinishedHttp2(250)
  const session = openSession(server)
  ends.push(() => session.close())
  const body = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } }
  expect((await session.send({ method: 'POST', path, token: noRoles, body })).status).toBe(201)
})

test('connections are capped by address, and closed ones make room', { timeout: 30_000 }, async () => {
  const attempts = await Promise.allSettled(Array.from({ length: 620 }, unfinishedHttp1))
  const refused = attempts.filter(({ status }) => status === 'rejected').length
  expect(refused).toBeGreaterThanOrEqual(20)
  expect(refused).toBeLessThan(60)
  for (const end of ends.splice(0)) end()
  await expect
    .poll(
      () =>
        unfinishedHttp1()
          .then(() => 'open')
          .catch(String),
      { timeout: 10_000 },
    )
    .toBe('open')
})
