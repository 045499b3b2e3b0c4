import { X509Certificate } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from '@hykube/machinery/base'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { adminKubeconfig, writeAdminKubeconfig } from './admin-kubeconfig.ts'
import { authorityName, createAuthorityCertificate, createKey } from './authority.ts'
import { ensurePki, standardHosts } from './ensure-pki.ts'

const day = 24 * 60 * 60 * 1000
let directory: string
let clock: ManualClock

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'hykube-pki-')), 'data')
  clock = new ManualClock(Date.UTC(2026, 0, 1))
})
afterEach(() => rm(join(directory, '..'), { recursive: true, force: true }))

const ensure = (hosts: readonly string[] = []) => ensurePki(directory, { hosts, clock })
const everything = ['ca.key', 'ca.crt', 'server.key', 'server.crt', 'admin.key', 'admin.crt', 'sa.key', 'admin.token']
const mode = async (path: string) => (await stat(path)).mode & 0o777

describe('in an empty directory', () => {
  test('creates everything, readable only by the owner, without temporary files', async () => {
    const pki = await ensure(['box.example', '10.1.2.3'])
    expect(pki.written).toEqual(everything)
    expect((await readdir(directory)).toSorted()).toEqual(everything.toSorted())
    expect(await mode(directory)).toBe(0o700)
    for (const name of everything) expect(await mode(join(directory, name))).toBe(0o600)
    expect(pki.adminToken).toMatch(/^[\w-]{43}$/)
    expect(pki.serviceAccountKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
  })

  test('names every host in the server certificate', async () => {
    const certificate = new X509Certificate((await ensure(['box.example', '10.1.2.3'])).server.certificate)
    for (const host of [...standardHosts, 'box.example', '10.1.2.3'])
      expect(isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host), host).toBeDefined()
  })
})

describe('with the files of an earlier start', () => {
  test('writes nothing again', async () => {
    const first = await ensure(['box'])
    const second = await ensure(['box'])
    expect(second.written).toEqual([])
    expect(second.server).toEqual(first.server)
    expect(second.adminToken).toBe(first.adminToken)
  })

  test.each<[string, number, readonly string[]]>([
    ['31 days before the end nothing is renewed', 334, []],
    [
      'renews the certificates 29 days before their expiry, not the CA',
      336,
      ['server.key', 'server.crt', 'admin.key', 'admin.crt'],
    ],
  ])('%s', async (_, days, written) => {
    const first = await ensure()
    clock.advance(days * day)
    const second = await ensure()
    expect(second.written).toEqual(written)
    expect(second.authority.certificate).toBe(first.authority.certificate)
  })

  test('renews only the server certificate for a new host', async () => {
    await ensure()
    expect((await ensure(['box'])).written).toEqual(['server.key', 'server.crt'])
  })

  test.each<[string, string, readonly string[]]>([
    ['server.key', 'of another pair', ['server.key', 'server.crt']],
    ['admin.crt', 'unreadable', ['admin.key', 'admin.crt']],
    ['admin.token', 'empty', ['admin.token']],
    ['sa.key', 'empty', ['sa.key']],
  ])('creates %s %s again', async (name, state, written) => {
    await ensure()
    const content = { 'of another pair': createKey(), unreadable: 'rubbish', empty: '' }[state]!
    await writeFile(join(directory, name), content)
    expect((await ensure()).written).toEqual(written)
  })

  test('replaces an admin certificate of another user', async () => {
    const pki = await ensure()
    const other = pki.authority.issueClient({ commonName: 'jane' }, { now: clock.now() })
    await writeFile(join(directory, 'admin.crt'), other.certificate)
    await writeFile(join(directory, 'admin.key'), other.key)
    expect((await ensure()).written).toEqual(['admin.key', 'admin.crt'])
  })

  test('issues all certificates again under another CA of the same name', async () => {
    await ensure()
    const key = createKey()
    await writeFile(join(directory, 'ca.key'), key)
    await writeFile(join(directory, 'ca.crt'), createAuthorityCertificate(key, authorityName, { now: clock.now() }))
    expect((await ensure()).written).toEqual(['server.key', 'server.crt', 'admin.key', 'admin.crt'])
  })

  test('restricts files that others can read', async () => {
    await ensure()
    await chmod(join(directory, 'ca.key'), 0o644)
    await chmod(directory, 0o755)
    await ensure()
    expect(await mode(join(directory, 'ca.key'))).toBe(0o600)
    expect(await mode(directory)).toBe(0o700)
  })

  test('creates the CA certificate for a key that a crash left alone', async () => {
    await ensure()
    const key = await readFile(join(directory, 'ca.key'), 'utf8')
    await rm(join(directory, 'ca.crt'))
    const { written } = await ensure()
    expect(written).toContain('ca.crt')
    expect(await readFile(join(directory, 'ca.key'), 'utf8')).toBe(key)
  })
})

describe('an unusable CA is never replaced silently', () => {
  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['without its key', () => rm(join(directory, 'ca.key')), /ca\.key is missing/],
    ['with another key', () => writeFile(join(directory, 'ca.key'), createKey()), /does not belong/],
    ['expired', async () => clock.advance(3651 * day), /expired on/],
  ])('%s', async (_, damage, message) => {
    await ensure()
    await damage()
    await expect(ensure()).rejects.toThrow(message)
  })
})

describe('the admin kubeconfig', () => {
  test('has the contexts base (current) and root, with embedded certificates', async () => {
    const { authority, admin } = await ensure()
    const options = { server: 'https://127.0.0.1:6443/', authority: authority.certificate, admin }
    const config = parse(adminKubeconfig(options))
    expect(config).toMatchObject({ apiVersion: 'v1', kind: 'Config', 'current-context': 'base' })
    expect(config.clusters.map(({ name, cluster }: never) => [name, (cluster as { server: string }).server])).toEqual([
      ['base', 'https://127.0.0.1:6443'],
      ['root', 'https://127.0.0.1:6443/clusters/root'],
    ])
    expect(config.contexts).toEqual([
      { name: 'base', context: { cluster: 'base', user: 'admin' } },
      { name: 'root', context: { cluster: 'root', user: 'admin' } },
    ])
    const [{ user }] = config.users
    expect(Buffer.from(user['client-certificate-data'], 'base64').toString()).toBe(admin.certificate)
    expect(Buffer.from(user['client-key-data'], 'base64').toString()).toBe(admin.key)
  })

  test('is readable only by the owner, and replaces an existing file', async () => {
    const { authority, admin } = await ensure()
    const file = join(directory, 'admin.kubeconfig')
    await writeFile(file, 'old', { mode: 0o644 })
    await writeAdminKubeconfig(file, { server: 'https://a:1', authority: authority.certificate, admin })
    expect(await mode(file)).toBe(0o600)
    expect(parse(await readFile(file, 'utf8')).clusters[0].cluster.server).toBe('https://a:1')
  })
})
