import { execFileSync, spawnSync } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { afterAll, describe, expect, test } from 'vitest'
import { authorityFrom, createAuthorityCertificate, createKey } from './authority.ts'
import { certificateFacts } from './certificate-facts.ts'

const now = Date.now()
const day = 24 * 60 * 60 * 1000
const key = createKey()
const authority = authorityFrom({ key, certificate: createAuthorityCertificate(key, 'test-ca', { now }) })
const issuer = new X509Certificate(authority.certificate)

describe('an authority', () => {
  test('is self-signed and may sign', () => {
    expect(issuer.ca).toBe(true)
    expect(issuer.verify(issuer.publicKey)).toBe(true)
    expect(issuer.checkIssued(issuer)).toBe(true)
    expect(certificateFacts(issuer)).toMatchObject({ isAuthority: true, maySign: true, commonNames: ['test-ca'] })
  })

  test('never issues certificates beyond its own expiry', () => {
    const short = authorityFrom({ key, certificate: createAuthorityCertificate(key, 'short', { now, days: 10 }) })
    const client = new X509Certificate(short.issueClient({ commonName: 'a' }, { now }).certificate)
    expect(client.validTo).toBe(new X509Certificate(short.certificate).validTo)
  })
})

describe('a server certificate', () => {
  const hosts = ['localhost', 'a.example', '127.0.0.1', '::1']
  const pair = authority.issueServer(hosts, { now, days: 90 })
  const certificate = new X509Certificate(pair.certificate)

  test('is signed by the authority, matches its key and has the requested lifetime', () => {
    expect(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)).toBe(true)
    expect(certificate.checkPrivateKey(createPrivateKey(pair.key))).toBe(true)
    expect(certificate.ca).toBe(false)
    expect(Math.abs(Date.parse(certificate.validTo) - now - 90 * day)).toBeLessThan(1000)
    expect(Date.parse(certificate.validFrom)).toBeLessThan(now)
  })

  test('names its hosts and is valid for servers only', () => {
    expect(certificate.subjectAltName).toBe(
      'DNS:localhost, DNS:a.example, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    )
    expect(certificate.checkHost('a.example')).toBe('a.example')
    expect(certificate.checkHost('b.example')).toBeUndefined()
    expect(certificate.checkIP('::1')).toBeDefined()
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(certificateFacts(certificate).forClients).toBe(false)
  })
})

describe('a client certificate', () => {
  const user = { commonName: 'jane\nO=system:masters', organizations: ['dev,ops', 'système'] }
  const certificate = new X509Certificate(authority.issueClient(user, { now }).certificate)

  test('names the user and its groups exactly', () => {
    expect(certificateFacts(certificate)).toMatchObject({
      commonNames: [user.commonName],
      organizations: user.organizations,
      forClients: true,
      isAuthority: false,
      maySign: false,
      unknownCritical: [],
    })
  })

  test('has a unique serial number', () => {
    const serials = Array.from(
      { length: 20 },
      () => new X509Certificate(authority.issueClient(user, { now }).certificate).serialNumber,
    )
    expect(new Set(serials).size).toBe(20)
    for (const serial of serials) expect(serial).toMatch(/^[0-7]?[0-9A-F]{0,31}$/)
  })
})

test('both certificates pass a TLS handshake with verification on both sides', async () => {
  const server = authority.issueServer(['localhost', '127.0.0.1'], { now })
  const client = authority.issueClient({ commonName: 'admin', organizations: ['system:masters'] }, { now })
  const seen = Promise.withResolvers<{ authorized: boolean; name: readonly string[] }>()
  const listener = createServer({
    cert: server.certificate,
    key: server.key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  })
  listener.on('secureConnection', (socket: TLSSocket) => {
    const peer = socket.getPeerX509Certificate()!
    seen.resolve({ authorized: socket.authorized, name: certificateFacts(peer).commonNames })
    socket.end()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as { port: number }
  const socket = connect({
    port,
    host: '127.0.0.1',
    ca: authority.certificate,
    cert: client.certificate,
    key: client.key,
  })
  socket.on('error', seen.reject)
  expect(await seen.promise).toEqual({ authorized: true, name: ['admin'] })
  socket.destroy()
  await new Promise((resolve) => listener.close(resolve))
})

const openssl = 'openssl'
const hasOpenssl = spawnSync(openssl, ['version']).status === 0

describe.runIf(hasOpenssl)('openssl agrees', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-pki-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  const file = (name: string, content: string) => {
    writeFileSync(join(directory, name), content)
    return join(directory, name)
  }
  const ca = file('ca.crt', authority.certificate)

  test.each([
    ['sslserver', authority.issueServer(['localhost', '::1'], { now }).certificate],
    ['sslclient', authority.issueClient({ commonName: 'a', organizations: ['b'] }, { now }).certificate],
  ])('accepts the certificate for %s, strictly', (purpose, certificate) => {
    const leaf = file(`${purpose}.crt`, certificate)
    const output = execFileSync(openssl, ['verify', '-x509_strict', '-purpose', purpose, '-CAfile', ca, leaf])
    expect(output.toString()).toBe(`${leaf}: OK\n`)
  })

  test('rejects a client certificate for a server', () => {
    const leaf = file('client.crt', authority.issueClient({ commonName: 'a' }, { now }).certificate)
    expect(spawnSync(openssl, ['verify', '-purpose', 'sslserver', '-CAfile', ca, leaf]).status).not.toBe(0)
  })

  test('its certificates can be parsed', () => {
    const keyFile = join(directory, 'other.key')
    const args =
      'req -x509 -newkey rsa:2048 -nodes -days 3 -set_serial 7 -addext basicConstraints=critical,CA:TRUE,pathlen:1 -addext nameConstraints=critical,permitted;DNS:.example'
    const pem = execFileSync(openssl, [...args.split(' '), '-keyout', keyFile, '-subj', '/O=one/O=two/CN=other'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(certificateFacts(new X509Certificate(pem))).toMatchObject({
      commonNames: ['other'],
      organizations: ['one', 'two'],
      isAuthority: true,
      pathLength: 1,
      unknownCritical: ['2.5.29.30'],
    })
  })
})
