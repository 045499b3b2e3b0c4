import { execFileSync, spawnSync } from 'node:child_process'
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { ManualClock } from '@hykube/machinery/base'
import { afterAll, describe, expect, test } from 'vitest'
import { authorityFrom, createAuthorityCertificate, createKey } from '../pki/authority.ts'
import { signCertificate } from '../pki/certificate.ts'
import { certificateFacts } from '../pki/certificate-facts.ts'
import { certificatesIn, createCertificateAuthenticator } from './client-certificate.ts'

const now = Date.UTC(2026, 5, 1)
const day = 24 * 60 * 60 * 1000

function createAuthority(name: string, days = 3650) {
  const key = createKey()
  return { key, ...authorityFrom({ key, certificate: createAuthorityCertificate(key, name, { now, days }) }) }
}

const ours = createAuthority('ours')
const theirs = createAuthority('theirs')
const clock = () => new ManualClock(now)
const certificateOf = (pair: { certificate: string }) => new X509Certificate(pair.certificate)
const jane = { commonName: 'jane', organizations: ['dev', 'a,b'] }

test('a certificate of the authority is its common name in its organizations', () => {
  const authenticator = createCertificateAuthenticator({ authorities: [ours.certificate], clock: clock() })
  const outcome = authenticator.authenticate(certificateOf(ours.issueClient(jane, { now })))
  expect(outcome).toMatchObject({ kind: 'authenticated', identity: { user: { name: 'jane', groups: ['dev', 'a,b'] } } })
  expect(outcome).toMatchObject({
    identity: {
      user: {
        extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] },
      },
    },
  })
})

test('several authorities in several texts are known', () => {
  const both = createCertificateAuthenticator({
    authorities: [`${ours.certificate}\n# note\n${theirs.certificate}`],
    clock: clock(),
  })
  for (const authority of [ours, theirs])
    expect(both.authenticate(certificateOf(authority.issueClient(jane, { now }))).kind).toBe('authenticated')
  expect(() => certificatesIn('nothing')).toThrow(/no PEM block/)
})

test('no certificate and one without a name say nothing', () => {
  const authenticator = createCertificateAuthenticator({ authorities: [ours.certificate], clock: clock() })
  expect(authenticator.authenticate(undefined).kind).toBe('unknown')
  expect(authenticator.authenticate(certificateOf(ours.issueClient({ commonName: '' }, { now }))).kind).toBe('unknown')
})

describe('attacks are refused', () => {
  const imitation = createAuthority('ours')
  const leafAsAuthority = () => {
    const leaf = ours.issueClient({ commonName: 'mallory' }, { now })
    const key = createKey()
    return signCertificate(
      {
        serial: Uint8Array.of(1),
        issuer: { name: certificateFacts(certificateOf(leaf)).subject, keyIdentifier: undefined },
        subject: { commonName: 'admin', organizations: ['system:masters'] },
        publicKey: createPublicKey(key),
        notBefore: now - day,
        notAfter: now + day,
        purpose: { kind: 'client' },
      },
      createPrivateKey(leaf.key),
    )
  }
  test.each<[string, () => string]>([
    ['a certificate of another authority', () => theirs.issueClient(jane, { now }).certificate],
    ['of another authority of the same name', () => imitation.issueClient(jane, { now }).certificate],
    ['one that signs itself', () => createAuthorityCertificate(createKey(), 'admin', { now })],
    ['one signed by a client of the authority', leafAsAuthority],
    ['one for servers', () => ours.issueServer(['localhost'], { now }).certificate],
    ['an expired one', () => ours.issueClient(jane, { now: now - 40 * day, days: 30 }).certificate],
    ['one that is not valid yet', () => ours.issueClient(jane, { now: now + day }).certificate],
  ])('%s', (_, make) => {
    const authenticator = createCertificateAuthenticator({ authorities: [ours.certificate], clock: clock() })
    expect(authenticator.authenticate(new X509Certificate(make())).kind).toBe('refused')
  })

  test('one whose byte was changed', () => {
    const authenticator = createCertificateAuthenticator({ authorities: [ours.certificate], clock: clock() })
    const raw = Buffer.from(certificateOf(ours.issueClient(jane, { now })).raw)
    raw.write('jann', raw.indexOf('jane'))
    expect(authenticator.authenticate(new X509Certificate(raw)).kind).toBe('refused')
  })

  test('one that expires while its connection lives, or whose authority does', () => {
    for (const [authority, days] of [
      [ours, 1],
      [createAuthority('short', 1), 365],
    ] as const) {
      const time = clock()
      const authenticator = createCertificateAuthenticator({ authorities: [authority.certificate], clock: time })
      const certificate = certificateOf(authority.issueClient(jane, { now, days }))
      expect(authenticator.authenticate(certificate).kind).toBe('authenticated')
      time.advance(day + 1000)
      expect(authenticator.authenticate(certificate).kind).toBe('refused')
    }
  })
})

test('a certificate is verified once for a connection', () => {
  const authenticator = createCertificateAuthenticator({ authorities: [ours.certificate], clock: clock() })
  const certificate = certificateOf(ours.issueClient(jane, { now }))
  expect(authenticator.authenticate(certificate)).toBe(authenticator.authenticate(certificate))
})

const openssl = 'openssl'

describe.runIf(spawnSync(openssl, ['version']).status === 0)('with an intermediate authority', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-chain-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  const path = (name: string) => join(directory, name)
  const run = (...args: string[]) => execFileSync(openssl, args, { cwd: directory, stdio: 'pipe' })
  // Keys by name; each certificate is signed by the previous one.
  const sign = (name: string, subject: string, issuer: string, extensions: string) => {
    run(
      'req',
      '-new',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      `${name}.key`,
      '-subj',
      subject,
      '-out',
      `${name}.csr`,
    )
    writeFileSync(path(`${name}.ext`), extensions)
    run(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      `${issuer}.crt`,
      '-CAkey',
      `${issuer}.key`,
      '-days',
      '30',
      '-extfile',
      `${name}.ext`,
      '-out',
      `${name}.crt`,
    )
  }
  const root = (constraints: string) =>
    run(
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      'root.key',
      '-subj',
      '/CN=root',
      '-days',
      '30',
      '-addext',
      `basicConstraints=critical,${constraints}`,
      '-out',
      'root.crt',
    )

  test.each<[string, string, string, string]>([
    ['authenticates over it', 'CA:TRUE', 'basicConstraints=critical,CA:TRUE\n', 'authenticated'],
    ['refuses one that is no authority', 'CA:TRUE', 'basicConstraints=critical,CA:FALSE\n', 'refused'],
    [
      'refuses one that may not sign',
      'CA:TRUE',
      'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,digitalSignature\n',
      'refused',
    ],
    [
      'refuses one more level than the root allows',
      'CA:TRUE,pathlen:0',
      'basicConstraints=critical,CA:TRUE\n',
      'refused',
    ],
    [
      'refuses limits it does not understand',
      'CA:TRUE',
      'basicConstraints=critical,CA:TRUE\nnameConstraints=critical,permitted;DNS:.example\n',
      'refused',
    ],
    [
      'refuses one that is for servers only',
      'CA:TRUE',
      'basicConstraints=critical,CA:TRUE\nextendedKeyUsage=serverAuth\n',
      'refused',
    ],
    [
      'authenticates over one that is for clients too',
      'CA:TRUE',
      'basicConstraints=critical,CA:TRUE\nextendedKeyUsage=serverAuth,clientAuth\n',
      'authenticated',
    ],
    [
      'authenticates over one that is for any purpose',
      'CA:TRUE',
      'basicConstraints=critical,CA:TRUE\nextendedKeyUsage=anyExtendedKeyUsage\n',
      'authenticated',
    ],
  ])('%s', async (_, rootConstraints, middle, expected) => {
    root(rootConstraints)
    sign('middle', '/CN=middle', 'root', middle)
    sign('leaf', '/O=dev/CN=jane', 'middle', 'extendedKeyUsage=clientAuth\n')
    const authenticator = createCertificateAuthenticator({ authorities: [readFileSync(path('root.crt'), 'utf8')] })
    const chain = readFileSync(path('leaf.crt'), 'utf8') + readFileSync(path('middle.crt'), 'utf8')
    const peer = await presented(chain, readFileSync(path('leaf.key'), 'utf8'))
    expect(authenticator.authenticate(peer).kind).toBe(expected)
  })
})

const isOpenssl3 = /^OpenSSL 3/.test(String(spawnSync(openssl, ['version']).stdout))

describe.runIf(isOpenssl3)('with two intermediate authorities, of which one is for servers only', () => {
  test.each([
    ['root', 'refused'],
    ['first', 'refused'],
    ['second', 'refused'],
    ['none', 'authenticated'],
  ])('(%s) the client is %s', async (limited, expected) => {
    const directory = mkdtempSync(join(tmpdir(), 'hykube-purposes-'))
    const run = (...args: string[]) => execFileSync(openssl, args, { cwd: directory, stdio: 'pipe' })
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
    const text = (name: string) => readFileSync(join(directory, name), 'utf8')
    const make = (name: string, issuer: string, extensions: readonly string[]) => {
      const request = ['req', '-x509', ...key, '-keyout', `${name}.key`, '-subj', `/CN=${name}`, '-out', `${name}.crt`]
      const signer = issuer === '' ? [] : ['-CA', `${issuer}.crt`, '-CAkey', `${issuer}.key`]
      run(...request, ...signer, '-days', '30', ...extensions.flatMap((extension) => ['-addext', extension]))
    }
    const authority = (name: string) => [
      'basicConstraints=critical,CA:TRUE',
      ...(name === limited ? ['extendedKeyUsage=serverAuth'] : []),
    ]
    try {
      make('root', '', authority('root'))
      make('first', 'root', authority('first'))
      make('second', 'first', authority('second'))
      make('jane', 'second', ['basicConstraints=critical,CA:FALSE', 'extendedKeyUsage=clientAuth'])
      const chain = ['jane', 'second', 'first'].map((name) => text(`${name}.crt`)).join('')
      const peer = await presented(chain, text('jane.key'))
      const authenticator = createCertificateAuthenticator({ authorities: [text('root.crt')] })
      expect(authenticator.authenticate(peer).kind).toBe(expected)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})

/** Returns the certificate as a TLS server receives it. */
async function presented(cert: string, key: string): Promise<X509Certificate> {
  const server = authorityFrom({
    key: ours.key,
    certificate: createAuthorityCertificate(ours.key, 'now', { now: Date.now() }),
  }).issueServer(['localhost'], { now: Date.now() })
  const seen = Promise.withResolvers<X509Certificate>()
  const listener = createServer({
    cert: server.certificate,
    key: server.key,
    requestCert: true,
    rejectUnauthorized: false,
  })
  listener.on('secureConnection', (socket: TLSSocket) => {
    seen.resolve(socket.getPeerX509Certificate()!)
    socket.end()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as { port: number }
  const socket = connect({ port, host: '127.0.0.1', cert, key, rejectUnauthorized: false })
  socket.on('error', seen.reject)
  const certificate = await seen.promise
  socket.destroy()
  await new Promise((resolve) => listener.close(resolve))
  return certificate
}
