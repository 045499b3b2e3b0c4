import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, get, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ManualClock } from '@hykube/machinery/base'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { EgressGuard } from '../../egress/index.ts'
import { createSigner, type FakePackage, FakeRegistry, makeZip, type ZipEntry } from '../testing/index.ts'
import { currentPlatform } from './find/platform.ts'
import { InstallFailure } from './install-failure.ts'
import type { InstallProgress, InstallRequest } from './installed-package.ts'
import type { InstallerSettings } from './installer-settings.ts'
import { ProviderInstaller } from './provider-installer.ts'
import { sourcePolicy } from './source-policy.ts'
import { parseChecksums } from './verify/checksums.ts'

const year = 365 * 86_400
const platform = currentPlatform()
let cacheDirectory: string
let registry: FakeRegistry

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'install-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

beforeEach(async () => {
  cacheDirectory = mkdtempSync(join(tmpdir(), 'install-test-'))
  registry = await FakeRegistry.start()
  return async () => {
    await registry.close()
    rmSync(cacheDirectory, { recursive: true, force: true })
  }
})

function installer(settings: Partial<InstallerSettings> = {}): ProviderInstaller {
  const made = new ProviderInstaller({
    cacheDirectory,
    defaultHost: registry.host,
    plainHttpHosts: new Set([registry.host]),
    egress: new EgressGuard(['127.0.0.1', 'localhost']),
    limits: { retries: 0 },
    ...settings,
  })
  onTestFinished(() => made.close())
  return made
}

const cloud = { namespace: 'acme', type: 'cloud', version: '1.2.3' }
const script: ZipEntry = { name: 'terraform-provider-cloud_v1.2.3', content: '#!/bin/sh\n', mode: 0o100755 }

/** The files in the cache; a failed installation must leave none, also no partial ones. */
function leftovers(): readonly string[] {
  return readdirSync(cacheDirectory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.parentPath.endsWith('packages'))
    .map(({ name }) => name)
}

async function failureOf(promise: Promise<unknown>): Promise<InstallFailure> {
  const error = await promise.then(
    () => expect.unreachable('it was installed'),
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(InstallFailure)
  return error as InstallFailure
}

describe('installing from a registry', () => {
  test('finds, verifies, unpacks and locks a package', async () => {
    const sha256 = await registry.publish({
      ...cloud,
      files: [script, { name: 'docs/LICENSE', content: 'free' }],
    })
    const seen: InstallProgress[] = []
    const installed = await installer().install({ source: 'acme/cloud' }, { progress: (one) => seen.push(one) })
    expect(installed).toMatchObject({ source: `${registry.host}/acme/cloud`, version: '1.2.3', warnings: [] })
    expect(readFileSync(installed.executable, 'utf8')).toBe('#!/bin/sh\n')
    expect(statSync(installed.executable).mode & 0o777).toBe(0o755)
    expect(statSync(join(installed.directory, 'docs/LICENSE')).mode & 0o777).toBe(0o644)
    expect(dirname(installed.executable)).toBe(installed.directory)
    expect(installed.lock).toEqual({
      source: `${registry.host}/acme/cloud`,
      version: '1.2.3',
      hashes: [installed.hash, `zh:${'0'.repeat(64)}`, `zh:${sha256}`].sort(),
    })
    expect([...new Set(seen.map(({ kind }) => kind))]).toEqual([
      'resolving',
      'verifying',
      'downloading',
      'unpacking',
      'installed',
    ])
    expect(readdirSync(join(cacheDirectory, 'tmp'))).toEqual([])
  })

  test("computes the same h1 hash as Go's dirhash", async () => {
    const files = [script, { name: 'a/b', content: 'x' }, { name: 'a.txt', content: 'y' }]
    await registry.publish({ ...cloud, files })
    const hash = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')
    // Sorted by bytes: a dot comes before a slash.
    const lines = ['a.txt', 'a/b', script.name].map((name) => {
      const { content } = files.find((file) => file.name === name)!
      return `${hash(content)}  ${name}\n`
    })
    const whole = createHash('sha256').update(lines.join('')).digest('base64')
    expect((await installer().install({ source: 'acme/cloud' })).hash).toBe(`h1:${whole}`)
  })

  test('requires a trusted certificate for HTTPS', async () => {
    const secure = await FakeRegistry.start({ tls: true })
    onTestFinished(() => secure.close())
    await secure.publish(cloud)
    const request = { source: `${secure.host}/acme/cloud` }
    const trusting = installer({ certificateAuthorities: [secure.certificate!] })
    expect(await trusting.install(request)).toMatchObject({ version: '1.2.3' })
    const failure = await failureOf(installer().install(request))
    expect(failure.reason).toBe('RegistryUnreachable')
    expect(failure.message).toContain('certificate')
  })

  test.each<[string | undefined, string, string]>([
    [undefined, '2.1.0', 'the newest release'],
    ['~> 1.0', '1.5.0', 'the newest that fits'],
    ['= 3.0.0-beta1', '3.0.0-beta1', 'a prerelease that is named'],
    ['> 2.0.0', '2.1.0', 'not the one of another protocol, nor that of another platform'],
  ])('%s: %s is taken, %s', async (version, taken) => {
    for (const one of ['1.0.0', '1.5.0', '2.1.0', '3.0.0-beta1']) await registry.publish({ ...cloud, version: one })
    await registry.publish({ ...cloud, version: '4.0.0', protocols: ['4.0'] })
    await registry.publish({ ...cloud, version: '5.0.0', platform: 'plan9_mips' })
    const request = { source: 'acme/cloud', ...(version !== undefined && { version }) }
    expect(await installer().resolve(request)).toMatchObject({ version: taken, locked: false, origin: 'the registry' })
    expect(await installer().install(request)).toMatchObject({ version: taken })
  })

  test('resolves downloadName to a provider of HashiCorp', async () => {
    await registry.publish({ ...cloud, namespace: 'hashicorp', type: 'aws', version: '5.62.0' })
    const installed = await installer().install({ downloadName: 'terraform-provider-aws', version: '5.62.0' })
    expect(installed.source).toBe(`${registry.host}/hashicorp/aws`)
  })

  test('sends a token to its host only', async () => {
    registry.token = 'very-secret'
    const other = await FakeRegistry.start()
    onTestFinished(() => other.close())
    await registry.publish({
      ...cloud,
      serve: (response) => response.writeHead(302, { location: `${other.url}/archive.zip` }).end(),
    })
    const archive = makeZip([script])
    other.intercept = (_, response) => {
      response.end(archive)
      return true
    }
    const failure = await failureOf(installer().install({ source: 'acme/cloud' }))
    expect(failure.reason).toBe('AccessDenied')
    expect(failure.message).toContain(`provide a token for ${registry.host}`)
    const credentials = (host: string) => (host === registry.host ? 'very-secret' : undefined)
    const refused = await failureOf(installer({ credentials }).install({ source: 'acme/cloud' }))
    expect(refused.reason).toBe('ChecksumMismatch')
    expect(refused.message).not.toContain('very-secret')
    expect(other.requests).toEqual([{ path: '/archive.zip' }])
    const metadata = registry.requests.filter(({ path }) => !path.startsWith('/files/')).slice(1)
    expect(metadata.every(({ authorization }) => authorization === 'Bearer very-secret')).toBe(true)
    expect(registry.requests.filter(({ path }) => path.startsWith('/files/')).some((r) => r.authorization)).toBe(false)
  })

  test('does not send a token after a redirect to another host', async () => {
    const other = await FakeRegistry.start()
    onTestFinished(() => other.close())
    await other.publish(cloud)
    registry.intercept = (path, response) => {
      if (!path.endsWith('/versions')) return false
      response.writeHead(307, { location: `${other.url}${path}` }).end()
      return true
    }
    await registry.publish(cloud)
    const credentials = () => 'very-secret'
    expect(await installer({ credentials }).install({ source: 'acme/cloud' })).toMatchObject({ version: '1.2.3' })
    expect(other.requests).toEqual([{ path: '/providers/acme/cloud/versions' }])
  })

  test('does not send a token to another port named by service discovery', async () => {
    const other = await FakeRegistry.start()
    onTestFinished(() => other.close())
    await other.publish(cloud)
    registry.intercept = (path, response) => {
      if (!path.startsWith('/.well-known/')) return false
      response.writeHead(302, { location: `${other.url}${path}` }).end()
      return true
    }
    const credentials = () => 'very-secret'
    const settings = { credentials, plainHttpHosts: new Set([registry.host]) }
    expect(await installer(settings).install({ source: 'acme/cloud' })).toMatchObject({ version: '1.2.3' })
    expect(other.requests.length).toBeGreaterThan(2)
    expect(other.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([])
  })

  test.each<[string, string | undefined]>([
    ['its host', undefined],
    ['an archive', 'download_url'],
  ])('does not connect to loopback for %s unless it is allowed', async (_, led) => {
    const egress = new EgressGuard(led === undefined ? [] : ['localhost'])
    const location = `https://127.0.0.1:${new URL(registry.url).port}/x`
    const serve = (r: ServerResponse) => r.writeHead(302, { location }).end()
    await registry.publish({ ...cloud, ...(led !== undefined && { serve }) })
    const failure = await failureOf(installer({ egress }).install({ source: 'acme/cloud' }))
    expect(failure.reason).toBe('InsecureUrl')
    expect(failure.message).toContain('--egress-allow')
    expect(registry.requests.some(({ path }) => path === '/x')).toBe(false)
  })

  test.each([
    ...['%2F..%2F..%2Fvictim', '..%2Fvictim', '%2e%2e%2fvictim', '..%5Cvictim', 'terraform-provider-x%00', 'a%0Ab'],
    ...['terraform-provider-x%2F..%2F..%2F..%2Fvictim', '%E0%A4%A', '%', '%2F'],
  ])('refuses a download named %s before any request', async (name) => {
    const failure = await failureOf(installer().install({ downloadUrl: `${registry.url}/files/${name}` }))
    expect(failure.reason).toBe('InvalidSource')
    expect(failure.message).toMatch(/must be a plain name|an escape that is not UTF-8/)
    expect(registry.requests).toEqual([])
    expect(leftovers()).toEqual([])
  })

  test('refuses a SHA256SUMS file with too many lines', async () => {
    const line = (at: number) => `${createHash('sha256').update(`${at}`).digest('hex')}  file-${at}.zip\n`
    const text = Array.from({ length: 14_000 }, (_, at) => line(at)).join('')
    expect(() => parseChecksums(text, 'SHA256SUMS')).toThrow('more than 200 lines')
  })

  test('uses the proxy of the environment', async () => {
    await registry.publish(cloud)
    const through: string[] = []
    const proxy = createServer((request, response) => {
      through.push(new URL(request.url!).pathname)
      get(request.url!, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const { port } = proxy.address() as { port: number }
    const proxyEnvironment = { HTTP_PROXY: `http://127.0.0.1:${port}` }
    await installer({ proxyEnvironment }).install({ source: 'acme/cloud' })
    expect(through).toContain('/providers/acme/cloud/versions')
    expect(through).toHaveLength(registry.requests.length)
  })

  test('retries after a transient failure', async () => {
    await registry.publish(cloud)
    let failures = 2
    registry.intercept = (path, response) => {
      if (!path.endsWith('/versions') || failures-- <= 0) return false
      response.writeHead(503).end()
      return true
    }
    const patient = installer({ limits: { retries: 2, retryDelay: 1 } })
    expect(await patient.install({ source: 'acme/cloud' })).toMatchObject({ version: '1.2.3' })
  })
})

describe("refuses a package that can't be verified and leaves no files", () => {
  const stranger = createSigner()
  const retired = createSigner({ date: new Date('2020-01-01'), validFor: year })
  const expiredBefore = createSigner({ date: new Date('2020-01-01'), validFor: year, signsAt: new Date('2022-01-01') })
  const good = makeZip([script])
  const link: ZipEntry = { name: 'x', content: '/etc/passwd', mode: 0o120777 }

  test.each<[string, string, () => Promise<Partial<FakePackage>>, string]>([
    [
      'an archive that is not what the checksum says',
      'ChecksumMismatch',
      async () => ({ serve: (r) => r.end('other') }),
      'signed checksum',
    ],
    [
      'a checksum that is not the signed one',
      'ChecksumMismatch',
      async () => ({ shasum: 'a'.repeat(64) }),
      'SHA256SUMS',
    ],
    ['a signed checksum of another archive', 'ChecksumMismatch', async () => ({ sum: 'b'.repeat(64) }), 'SHA256SUMS'],
    [
      'a signature by an unlisted key',
      'SignatureInvalid',
      async () => ({ signer: await stranger }),
      'Could not find signing key',
    ],
    [
      'a signature over something else',
      'SignatureInvalid',
      async () => ({ signer: { ...registry.signer, sign: () => registry.signer.sign(Buffer.from('x')) } }),
      'signature is not by one of the registry',
    ],
    [
      'a malformed signature',
      'SignatureInvalid',
      async () => ({ signer: { ...registry.signer, sign: async () => Buffer.from('hello') } }),
      'parsed',
    ],
    [
      'a signature made after the key had expired',
      'KeyExpired',
      async () => ({ signer: await expiredBefore, keys: [await expiredBefore] }),
      'expired',
    ],
    [
      'a key that can’t be read',
      'SignatureInvalid',
      async () => ({ keys: [{ ...registry.signer, armor: 'none' }] }),
      'Could not find signing key',
    ],
    [
      'a file outside',
      'ArchiveUnsafe',
      async () => ({ files: [script, { name: '../../evil', content: 'x' }] }),
      '../../evil',
    ],
    [
      'an absolute file',
      'ArchiveUnsafe',
      async () => ({ files: [script, { name: '/etc/evil', content: 'x' }] }),
      '/etc/evil',
    ],
    [
      'a file with backslashes',
      'ArchiveUnsafe',
      async () => ({ files: [script, { name: '..\\evil', content: 'x' }] }),
      'evil',
    ],
    ['a link', 'ArchiveUnsafe', async () => ({ files: [script, link] }), 'link'],
    [
      'a link and a file through it',
      'ArchiveUnsafe',
      async () => ({
        files: [
          { ...link, content: '/tmp' },
          { name: 'x/evil', content: 'x' },
        ],
      }),
      'link',
    ],
    ['a file that is there twice', 'ArchiveUnsafe', async () => ({ files: [script, script] }), 'twice'],
    [
      'a file in the place of a directory',
      'ArchiveUnsafe',
      async () => ({ files: [script, { name: 'a', content: '' }, { name: 'a/b', content: '' }] }),
      'the same path',
    ],
    [
      'a truncated archive',
      'ArchiveInvalid',
      async () => ({ archive: good.subarray(0, good.length - 30) }),
      'not a complete zip archive',
    ],
    [
      'a file that is not an archive',
      'ArchiveInvalid',
      async () => ({ archive: Buffer.from('<html>') }),
      'not a complete zip archive',
    ],
    ['a damaged file', 'ArchiveInvalid', async () => ({ files: [{ ...script, claimedCrc: 7 }] }), 'damaged'],
    [
      'a file that is larger than it says',
      'ArchiveInvalid',
      async () => ({ files: [{ ...script, content: 'x'.repeat(99), claimedSize: 3 }] }),
      'bytes',
    ],
    [
      'too many files',
      'TooLarge',
      async () => ({ files: Array.from({ length: 101 }, (_, i) => ({ name: `f${i}`, content: '' })) }),
      '101 files',
    ],
    [
      'an archive without a provider',
      'ExecutableMissing',
      async () => ({ files: [{ name: 'README', content: '' }] }),
      'terraform-provider-cloud',
    ],
    [
      'two providers',
      'ExecutableMissing',
      async () => ({ files: [script, { ...script, name: 'terraform-provider-cloud' }] }),
      'several',
    ],
    [
      'a redirect without end',
      'TooManyRedirects',
      async () => ({ serve: (r) => r.writeHead(302, { location: r.req.url! }).end() }),
      'more than 10 times',
    ],
    [
      'a redirect to something else than HTTPS',
      'InsecureUrl',
      async () => ({ serve: (r) => r.writeHead(302, { location: 'http://example.com/x?token=hidden' }).end() }),
      'http://example.com/x is not HTTPS',
    ],
    [
      'a redirect to a file',
      'InsecureUrl',
      async () => ({ serve: (r) => r.writeHead(302, { location: 'file:///etc/passwd' }).end() }),
      'not HTTPS',
    ],
    [
      'a server that stalls',
      'Timeout',
      async () => ({ serve: (r) => void r.writeHead(200, { 'content-length': 10 }).write('abc') }),
      'sent nothing for 400 ms',
    ],
    [
      'a connection that breaks off',
      'RegistryUnreachable',
      async () => ({ serve: (r) => r.writeHead(200, { 'content-length': 10 }).write('abc', () => r.destroy()) }),
      'cannot download',
    ],
    [
      'an archive that is announced too large',
      'TooLarge',
      async () => ({ serve: (r) => void r.writeHead(200, { 'content-length': 10_000_000 }).write('x') }),
      'larger than 1000000 bytes',
    ],
    [
      'an archive that turns out too large',
      'TooLarge',
      async () => ({ serve: (r) => r.end(Buffer.alloc(1_000_001)) }),
      'larger than',
    ],
    ['a version that disappeared', 'VersionNotFound', async () => ({ vanished: true }), 'choose another version'],
    [
      'a version for another platform',
      'PlatformUnsupported',
      async () => ({ platform: 'plan9_mips' }),
      `not built for ${platform}, only for plan9_mips`,
    ],
    ['a version of another protocol', 'ProtocolUnsupported', async () => ({ protocols: ['4.1'] }), 'protocol 4'],
  ])('%s: %s', async (_, reason, fault, words) => {
    await registry.publish({ ...cloud, ...(await fault()) })
    const limits = { retries: 0, idleTimeout: 400, archive: 1_000_000, entries: 100 }
    const failure = await failureOf(installer({ limits }).install({ source: 'acme/cloud', version: '~> 1.2' }))
    expect(failure.message).toMatch(/^cannot install acme\/cloud ~> 1\.2: /)
    expect(failure.message).toContain(words)
    expect(failure.message).not.toContain('hidden')
    expect(failure.reason).toBe(reason)
    expect(leftovers()).toEqual([])
    expect(existsSync(join(cacheDirectory, '..', 'evil'))).toBe(false)
  })

  test('refuses a zip bomb', async () => {
    await registry.publish({ ...cloud, files: [script, { name: 'bomb', content: Buffer.alloc(80 * 2 ** 20) }] })
    const failure = await failureOf(installer().install({ source: 'acme/cloud' }))
    expect(failure.reason).toBe('TooLarge')
    expect(leftovers()).toEqual([])
  })

  test('warns about an expired key, or refuses it', async () => {
    await registry.publish({ ...cloud, signer: await retired, keys: [registry.signer, await retired] })
    const failure = await failureOf(installer({ expiredKeys: 'refuse' }).install({ source: 'acme/cloud' }))
    expect(failure.reason).toBe('KeyExpired')
    expect(leftovers()).toEqual([])
    const { warnings } = await installer().install({ source: 'acme/cloud' })
    expect(warnings).toEqual([expect.stringContaining('which expired on 2020-12-31')])
    // Before the expiry there is no warning.
    const clock = new ManualClock(Date.parse('2020-06-01'))
    expect(await installer({ clock }).install({ source: 'acme/cloud' })).toMatchObject({ warnings: [] })
  })

  test('warns about a registry without signing keys, or refuses it', async () => {
    await registry.publish({ ...cloud, keys: [] })
    const failure = await failureOf(installer({ unsignedPackages: 'refuse' }).install({ source: 'acme/cloud' }))
    expect(failure.reason).toBe('SignatureMissing')
    const { warnings } = await installer().install({ source: 'acme/cloud' })
    expect(warnings).toEqual([expect.stringContaining('is not signed')])
  })
})

describe('missing packages', () => {
  test.each<[InstallRequest, string, string]>([
    [{ source: 'acme/nothing' }, 'NotFound', 'not found'],
    [{ source: 'acme/cloud', version: '~> 9.0' }, 'VersionNotFound', 'no version satisfies ~> 9.0: there are 1.2.3'],
    [{ source: 'cloud' }, 'InvalidSource', 'hashicorp/cloud'],
    [{ source: 'acme/cloud', version: 'latest' }, 'InvalidSource', 'latest'],
    [{}, 'InvalidSource', 'there is no source'],
    [{ source: '/nowhere/at/all' }, 'NotFound', '/nowhere/at/all'],
    [{ downloadUrl: 'nonsense' }, 'InvalidSource', 'it is not a URL'],
    [{ downloadUrl: 'http://example.com/x.zip' }, 'InsecureUrl', 'not HTTPS'],
    [{ source: 'localhost:1/acme/cloud' }, 'RegistryUnreachable', 'ECONNREFUSED'],
  ])('%j: %s', async (request, reason, words) => {
    await registry.publish(cloud)
    const failure = await failureOf(installer().install(request))
    expect(failure).toMatchObject({ reason, transient: reason === 'RegistryUnreachable' })
    expect(failure.message).toContain(words)
    expect(leftovers()).toEqual([])
  })

  test.each([
    ['no JSON', 'did not return JSON'],
    ['{"versions": 7}', 'field versions is not a list'],
    ['{"versions": [{}]}', 'element 0, field version is not a string'],
  ])('reports a registry that responds with %s', async (answer, words) => {
    registry.intercept = (path, response) => {
      if (path.endsWith('/versions')) response.end(answer)
      return path.endsWith('/versions')
    }
    const failure = await failureOf(installer().install({ source: 'acme/cloud' }))
    expect(failure).toMatchObject({ reason: 'RegistryInvalid', message: expect.stringContaining(words) })
  })

  test('reports a host without a registry', async () => {
    registry.intercept = (_, response) => {
      response.end('{}')
      return true
    }
    const failure = await failureOf(installer().install({ source: 'acme/cloud' }))
    expect(failure).toMatchObject({
      reason: 'NotFound',
      message: expect.stringContaining('does not serve a provider registry'),
    })
  })
})

describe('a lock', () => {
  test('pins its version while it satisfies the constraint', async () => {
    await registry.publish(cloud)
    const first = await installer().install({ source: 'acme/cloud' })
    await registry.publish({ ...cloud, version: '1.3.0' })
    const again = { source: 'acme/cloud', version: '~> 1.2', lock: first.lock }
    expect(await installer().resolve(again)).toMatchObject({ version: '1.2.3', locked: true })
    expect(await installer().install(again)).toMatchObject({ version: '1.2.3', hash: first.hash, lock: first.lock })
    const newer = await installer().install({ ...again, version: '>= 1.3' })
    expect(newer.version).toBe('1.3.0')
  })

  test('needs no network if the package is in the cache', async () => {
    await registry.publish(cloud)
    const { lock, hash } = await installer().install({ source: 'acme/cloud' })
    registry.requests.length = 0
    expect(await installer().install({ source: 'acme/cloud', lock })).toMatchObject({ hash, origin: 'the cache' })
    expect(registry.requests).toEqual([])
  })

  test('downloads the same package again when the cache was lost or damaged', async () => {
    await registry.publish(cloud)
    const { lock, executable } = await installer().install({ source: 'acme/cloud' })
    writeFileSync(executable, 'changed by a user')
    const again = await installer().install({ source: 'acme/cloud', lock })
    expect(readFileSync(again.executable, 'utf8')).toContain('cloud 1.2.3')
    rmSync(cacheDirectory, { recursive: true })
    expect(await installer().install({ source: 'acme/cloud', lock })).toMatchObject({ lock })
  })

  test('refuses a different package of the same version', async () => {
    await registry.publish({ ...cloud, files: [{ ...script, content: 'other' }] })
    const lock = { source: `${registry.host}/acme/cloud`, version: '1.2.3', hashes: [`zh:${'c'.repeat(64)}`] }
    const failure = await failureOf(installer().install({ source: 'acme/cloud', lock }))
    expect(failure).toMatchObject({ reason: 'LockMismatch', message: expect.stringContaining('remove the lock') })
    expect(leftovers()).toEqual([])
  })

  test('reports that its version is no longer available', async () => {
    await registry.publish(cloud)
    const lock = { source: `${registry.host}/acme/cloud`, version: '1.0.0', hashes: [`zh:${'c'.repeat(64)}`] }
    const failure = await failureOf(installer().install({ source: 'acme/cloud', version: '~> 1.0', lock }))
    expect(failure).toMatchObject({ reason: 'VersionNotFound', message: expect.stringContaining('1.0.0 is locked') })
  })
})

describe('sharing', () => {
  test('downloads a package once for concurrent requests', async () => {
    await registry.publish(cloud)
    const one = installer()
    const all = await Promise.all(Array.from({ length: 5 }, () => one.install({ source: 'acme/cloud' })))
    expect(new Set(all.map(({ directory }) => directory)).size).toBe(1)
    expect(registry.requests.filter(({ path }) => path.endsWith('.zip'))).toHaveLength(1)
  })

  test('lets several installers share one cache', async () => {
    await registry.publish(cloud)
    const all = await Promise.all(Array.from({ length: 5 }, () => installer().install({ source: 'acme/cloud' })))
    expect(new Set(all.map(({ directory }) => directory)).size).toBe(1)
    expect(readdirSync(join(cacheDirectory, 'packages'))).toHaveLength(1)
    expect(readdirSync(join(cacheDirectory, 'tmp'))).toEqual([])
  })

  test('does not download an archive that is unpacked already', async () => {
    await registry.publish(cloud)
    await installer().install({ source: 'acme/cloud' })
    await installer().install({ source: 'acme/cloud' })
    expect(registry.requests.filter(({ path }) => path.endsWith('.zip'))).toHaveLength(1)
  })

  test('cancels an installation only when its last caller aborts', async () => {
    const asked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    await registry.publish({
      ...cloud,
      serve: (response, archive) => {
        asked.resolve()
        void go.promise.then(() => response.end(archive))
      },
    })
    const one = installer()
    const impatient = new AbortController()
    const left = one.install({ source: 'acme/cloud' }, { signal: impatient.signal })
    const stayed = one.install({ source: 'acme/cloud' })
    await asked.promise
    impatient.abort(new Error('no time'))
    expect(await failureOf(left)).toMatchObject({ reason: 'Canceled', message: expect.stringContaining('no time') })
    go.resolve()
    expect(await stayed).toMatchObject({ version: '1.2.3' })
  })

  test('leaves no files after a canceled installation', async () => {
    const asked = Promise.withResolvers<void>()
    await registry.publish({ ...cloud, serve: () => asked.resolve() })
    const controller = new AbortController()
    const installing = installer().install({ source: 'acme/cloud' }, { signal: controller.signal })
    await asked.promise
    controller.abort()
    expect(await failureOf(installing)).toMatchObject({ reason: 'Canceled' })
    await expect.poll(() => readdirSync(join(cacheDirectory, 'tmp'))).toEqual([])
    expect(leftovers()).toEqual([])
  })

  test('removes workspaces of a killed server', async () => {
    const left = join(cacheDirectory, 'tmp', '999999999-abc')
    mkdirSync(left, { recursive: true })
    writeFileSync(join(left, 'package.zip'), 'half')
    await registry.publish(cloud)
    await installer().install({ source: 'acme/cloud' })
    expect(existsSync(left)).toBe(false)
  })
})

describe('installing from a network mirror', () => {
  const method = () => ({ kind: 'network-mirror', url: `${registry.url}/mirror` }) as const

  test("downloads a package and verifies it by the mirror's hashes", async () => {
    await registry.publish(cloud)
    const installed = await installer({ methods: [method()] }).install({ source: 'elsewhere.example.com/acme/cloud' })
    expect(installed).toMatchObject({ source: 'elsewhere.example.com/acme/cloud', version: '1.2.3', warnings: [] })
  })

  test('refuses a wrong hash, and warns if there is none', async () => {
    await registry.publish({ ...cloud, mirrorHashes: [`zh:${'d'.repeat(64)}`, `h1:${'A'.repeat(43)}=`] })
    const mirrored = installer({ methods: [method()] })
    expect(await failureOf(mirrored.install({ source: 'acme/cloud' }))).toMatchObject({ reason: 'ChecksumMismatch' })
    expect(leftovers()).toEqual([])
    await registry.publish({ ...cloud, version: '1.2.4', mirrorHashes: [] })
    expect((await mirrored.install({ source: 'acme/cloud' })).warnings).toEqual([
      expect.stringContaining('not verified'),
    ])
  })

  test('is asked only for addresses that its patterns select', async () => {
    await registry.publish(cloud)
    const methods = [{ ...method(), include: ['example.com/*/*'], exclude: ['example.com/acme/cloud'] }]
    const mirrored = installer({ methods })
    await registry.publish({ ...cloud, type: 'other' })
    expect(await mirrored.install({ source: 'example.com/acme/other' })).toMatchObject({ version: '1.2.3' })
    for (const source of ['example.com/acme/cloud', 'acme/other'])
      expect(await failureOf(mirrored.install({ source }))).toMatchObject({ reason: 'NotFound' })
  })
})

describe('installing from a directory', () => {
  function mirror(): { directory: string; put: (path: string, content: string | Uint8Array) => string } {
    const directory = temporaryDirectory()
    return {
      directory,
      put: (path, content) => {
        const file = join(directory, path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, content)
        chmodSync(file, 0o755)
        return file
      },
    }
  }

  test('chooses the newest of packed and unpacked packages', async () => {
    const { directory, put } = mirror()
    const host = registry.host
    put(`${host}/acme/cloud/terraform-provider-cloud_1.0.0_${platform}.zip`, makeZip([script]))
    put(`${host}/acme/cloud/terraform-provider-cloud_9.0.0_plan9_mips.zip`, 'none')
    const unpacked = put(`${host}/acme/cloud/2.0.0/${platform}/terraform-provider-cloud_v2.0.0_x5`, '#!/bin/sh\n')
    const local = installer({ providerDirectories: [directory] })
    expect(await local.install({ source: 'acme/cloud' })).toMatchObject({ version: '2.0.0', executable: unpacked })
    const packed = await local.install({ source: 'acme/cloud', version: '< 2' })
    expect(packed).toMatchObject({ version: '1.0.0', origin: `the directory ${directory}` })
    expect(packed.directory.startsWith(cacheDirectory)).toBe(true)
    expect(registry.requests).toEqual([])
    const only = await failureOf(local.install({ source: 'acme/cloud', version: '9.0.0' }))
    expect(only.reason).toBe('PlatformUnsupported')
    const { lock } = await local.install({ source: 'acme/cloud' })
    put(`${host}/acme/cloud/2.0.0/${platform}/terraform-provider-cloud_v2.0.0_x5`, 'changed')
    expect(await failureOf(local.install({ source: 'acme/cloud', lock }))).toMatchObject({ reason: 'LockMismatch' })
  })

  test('serves a single executable as local/NAME, without a version unless its name has one', async () => {
    const { directory, put } = mirror()
    const executable = put('terraform-provider-mine', '#!/bin/sh\n')
    put('terraform-provider-dated_v1.5.0', '#!/bin/sh\n')
    const local = installer({ providerDirectories: [directory] })
    const installed = await local.install({ source: 'local/mine' })
    expect(await failureOf(local.install({ source: 'local/mine', version: '~> 3.0' }))).toMatchObject({
      reason: 'VersionNotFound',
      message: expect.stringContaining('has no version in its name; remove spec.version'),
    })
    expect(installed).toMatchObject({ executable, directory, version: '0.0.0', warnings: [] })
    expect(await local.install({ source: 'local/dated' })).toMatchObject({ version: '1.5.0' })
    put('terraform-provider-mine', '#!/bin/sh\n# changed\n')
    const { lock } = installed
    const changed = await local.install({ source: 'local/mine', lock })
    expect(changed.hash).not.toBe(installed.hash)
    expect(changed.warnings).toEqual([expect.stringContaining('has changed since it was locked')])
    expect((await failureOf(local.install({ source: 'local/other' }))).reason).toBe('NotFound')
    chmodSync(executable, 0o644)
    expect((await failureOf(local.install({ source: 'local/mine' }))).reason).toBe('ExecutableMissing')
  })

  test('accepts a path to an executable, to a directory with one, or to an archive', async () => {
    const { directory, put } = mirror()
    const executable = put('bin/terraform-provider-mine_v1.2.3', '#!/bin/sh\n')
    const zip = put('terraform-provider-cloud_1.2.3_linux_amd64.zip', makeZip([script]))
    const local = installer()
    for (const source of [executable, join(directory, 'bin'), `file://${executable}`])
      expect(await local.install({ source })).toMatchObject({ executable })
    expect(await local.install({ source: zip })).toMatchObject({ version: '1.2.3', source: zip })
    expect(await failureOf(local.install({ source: zip, version: '2.0.0' }))).toMatchObject({
      reason: 'VersionNotFound',
    })
    const closed = installer({ sources: sourcePolicy([], registry.host) })
    expect(await failureOf(closed.install({ source: executable }))).toMatchObject({ reason: 'SourceNotAllowed' })
  })

  test('runs a built-in provider in place; its hash covers its files', async () => {
    const { directory, put } = mirror()
    const executable = put('bin/terraform-provider-sim', '#!/bin/sh\n')
    put('src/main.ts', '1')
    put('node_modules/x/y', '1')
    const builtIns = new Map([['hykube/sim', { executable, version: '0.1.0' }]])
    const local = installer({ builtIns })
    const first = await local.install({ source: 'hykube/sim' })
    expect(first).toMatchObject({
      executable,
      directory: join(directory, 'bin'),
      version: '0.1.0',
      origin: 'this server',
    })
    put('node_modules/x/y', '2')
    expect((await local.install({ source: 'hykube/sim', lock: first.lock })).hash).toBe(first.hash)
    put('src/main.ts', '2')
    expect((await local.install({ source: 'hykube/sim', lock: first.lock })).hash).not.toBe(first.hash)
    expect(await local.resolve({ source: 'hykube/sim' })).toMatchObject({ version: '0.1.0' })
    const failure = await failureOf(local.install({ source: 'hykube/sim', version: '>= 2' }))
    expect(failure).toMatchObject({ reason: 'VersionNotFound', message: expect.stringContaining('built in') })
  })
})

describe('installing from a URL', () => {
  const archive = makeZip([script])
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const serve = (content: Uint8Array | string) => {
    registry.intercept = (_, response) => {
      response.end(content)
      return true
    }
  }

  test('verifies an archive by its checksum or its lock', async () => {
    serve(archive)
    const downloadUrl = `${registry.url}/x/terraform-provider-cloud_1.2.3_linux_amd64.zip?key=secret`
    const first = await installer().install({ downloadUrl })
    expect(first).toMatchObject({ version: '1.2.3', warnings: [expect.stringContaining('not verified')] })
    expect(JSON.stringify(first)).not.toContain('secret')
    expect((await installer().install({ downloadUrl: `${downloadUrl}#sha256=${sha256}` })).warnings).toEqual([])
    serve(makeZip([{ ...script, content: 'another' }]))
    rmSync(join(cacheDirectory, 'packages'), { recursive: true })
    const wrong = installer().install({ downloadUrl: `${downloadUrl}#sha256=${sha256}` })
    expect(await failureOf(wrong)).toMatchObject({ reason: 'ChecksumMismatch' })
    const unlocked = installer().install({ downloadUrl, lock: first.lock })
    expect(await failureOf(unlocked)).toMatchObject({ reason: 'LockMismatch' })
    expect(existsSync(join(cacheDirectory, 'packages'))).toBe(false)
  })

  test('sets the executable permission of a downloaded executable', async () => {
    serve('#!/bin/sh\n')
    const request = { downloadUrl: `${registry.url}/latest`, source: 'acme/cloud', version: '1.0.0' }
    const installed = await installer().install(request)
    expect(installed).toMatchObject({ version: '1.0.0', source: `${registry.url}/latest` })
    expect(statSync(installed.executable).mode & 0o777).toBe(0o755)
    expect(await installer().install({ ...request, lock: installed.lock })).toMatchObject({ origin: 'the cache' })
    serve('#!/bin/sh\n# another\n')
    rmSync(join(cacheDirectory, 'packages'), { recursive: true })
    const other = installer().install({ ...request, lock: installed.lock })
    expect(await failureOf(other)).toMatchObject({ reason: 'LockMismatch' })
  })
})
