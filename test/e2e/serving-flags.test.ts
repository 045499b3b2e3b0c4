import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type ConnectionOptions, connect } from 'node:tls'
import { ensurePki } from '@hykube/server/auth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Attack, send } from '../attacks/attacker.ts'
import { describeWith } from '../real-parts/index.ts'
import { client, startServer, type TestServer } from './server.ts'

let directory: string
let server: TestServer
let log = ''

const certFile = () => join(directory, 'tls.crt')
const keyFile = () => join(directory, 'tls.key')

// The certificate of an authority that no client of the server knows, for a host that it is not reached by.
async function newCertificate(name: string): Promise<string> {
  const made = join(directory, name)
  await ensurePki(made, { hosts: [`${name}.example.com`] })
  copyFileSync(join(made, 'server.crt'), certFile())
  copyFileSync(join(made, 'server.key'), keyFile())
  return readFileSync(certFile(), 'utf8')
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hykube-flags-'))
  await newCertificate('first')
  server = await startServer({
    arguments: [
      ...['--store', 'memory:', '--v', '2', '--anonymous-auth=false', '--tls-min-version', 'VersionTLS13'],
      ...['--service-account-max-token-expiration', '2h'],
      ...['--tls-cert-file', certFile(), '--tls-private-key-file', keyFile()],
    ],
  })
  server.process.stderr?.on('data', (bytes: Buffer) => {
    log += bytes.toString()
  })
})
afterAll(async () => {
  await server?.remove()
  rmSync(directory, { recursive: true, force: true })
})

function handshake(of: Pick<TestServer, 'url'>, options: ConnectionOptions = {}): Promise<string> {
  const { hostname, port } = new URL(of.url)
  return new Promise((done, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false, ...options }, () => {
      const { subjectaltname = '' } = socket.getPeerCertificate()
      done(`${socket.getProtocol()} ${socket.getCipher().standardName} ${subjectaltname}`)
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

const admin = (attack: Attack) => send(server, { token: server.adminToken, ...attack })

describe('a certificate of the operator', () => {
  test('is shown, and the own one by the names of the inside', async () => {
    expect(await handshake(server)).toContain('first.example.com')
    expect(await handshake(server, { servername: 'api.example.com' })).toContain('first.example.com')
    expect(await handshake(server, { servername: 'kubernetes.default.svc' })).not.toContain('example.com')
  })

  test('is read again when its files change, without a restart', async () => {
    await newCertificate('second')
    await expect.poll(() => handshake(server), { timeout: 15_000, interval: 100 }).toContain('second.example.com')
  })
})

describeWith(['kubectl-1.36'], 'the kubeconfig of the server', (kubectl) => {
  test('works whatever certificate the operator gives', async () => {
    const { code, stdout, stderr } = await client(kubectl, server)('get namespaces -o name')
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toContain('namespace/default')
  })
})

test('TLS 1.2 is refused below --tls-min-version', async () => {
  await expect(handshake(server, { maxVersion: 'TLSv1.2' })).rejects.toThrow()
  expect(await handshake(server)).toMatch(/^TLSv1\.3 /)
})

test('requests without credentials are 401 with --anonymous-auth=false', async () => {
  for (const path of ['/livez', '/version', '/api/v1/namespaces'])
    expect((await send(server, { path })).status).toBe(401)
  expect((await admin({ path: '/livez' })).status).toBe(200)
})

describe('a TokenRequest', () => {
  const path = '/api/v1/namespaces/default/serviceaccounts/default/token'
  const ask = (expirationSeconds: number) => admin({ method: 'POST', path, body: { spec: { expirationSeconds } } })

  test('gets no more than the maximum, with a warning', async () => {
    await expect.poll(async () => (await ask(3600)).status, { timeout: 10_000 }).toBe(201)
    const { status, document, headers } = await ask(10 * 365 * 86_400)
    expect(status).toBe(201)
    expect(document.spec.expirationSeconds).toBe(7200)
    const claims = JSON.parse(Buffer.from(document.status.token.split('.')[1], 'base64url').toString())
    expect(claims.exp - claims.iat).toBe(7200)
    expect(String(headers.warning)).toContain('shortened to 7200 seconds')
  })

  test('for less than ten minutes is 422', async () => {
    expect((await ask(599)).status).toBe(422)
  })
})

test('requests and refused credentials are logged, without queries and tokens', async () => {
  const token = 'wrong-token-of-somebody'
  await send(server, { path: '/api/v1/pods?labelSelector=a%3Dsecret', token })
  await admin({ path: '/api/v1/namespaces/default/configmaps?labelSelector=a%3Dsecret' })
  await expect.poll(() => log, { timeout: 10_000 }).toMatch(/"path":"\/api\/v1\/namespaces\/default\/configmaps"/)
  const lines = log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  expect(lines).toContainEqual(
    expect.objectContaining({
      message: 'request',
      method: 'GET',
      path: '/api/v1/namespaces/default/configmaps',
      user: 'admin',
      status: 200,
      milliseconds: expect.any(Number),
    }),
  )
  expect(lines).toContainEqual(expect.objectContaining({ message: 'authentication failed', address: '127.0.0.1' }))
  expect(log).not.toContain('secret')
  expect(log).not.toContain(token)
})

test('no CBC suite is spoken by default', async () => {
  const other = await startServer()
  try {
    const old = { maxVersion: 'TLSv1.2' } as const
    await expect(
      handshake(other, { ...old, ciphers: 'ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA256' }),
    ).rejects.toThrow()
    expect(await handshake(other, old)).toMatch(/^TLSv1\.2 TLS_ECDHE_ECDSA_WITH_.*(GCM|CHACHA20)/)
  } finally {
    await other.remove()
  }
})

test.each([
  ['--tls-min-version=VersionTLS11', 'must be one of VersionTLS12, VersionTLS13'],
  ['--tls-cipher-suites=TLS_RSA_WITH_RC4_128_SHA', '--tls-cipher-suites has "TLS_RSA_WITH_RC4_128_SHA"'],
  ['--tls-cert-file=/nowhere', 'must be given together'],
  ['--anonymous-auth=maybe', 'true or false'],
])('%s ends the start in words', (flag, message) => {
  const program = resolve(import.meta.dirname, '../../bin/hykube')
  const { status, stderr } = spawnSync(program, ['serve', '--port', '0', '--data-dir', directory, flag])
  expect(status).not.toBe(0)
  expect(String(stderr)).toContain(message)
  expect(String(stderr)).not.toContain('    at ')
})
