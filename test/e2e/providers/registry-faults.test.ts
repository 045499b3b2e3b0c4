import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSigner, type FakePackage, FakeRegistry, makeZip } from '@hykube/server/provider/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { ProviderServer, providerOf } from './provider-server.ts'

const program = join(import.meta.dirname, '../../fixtures/versioned-provider/main.ts')

describeWith(['kubectl-1.36'], 'a registry with faults, and the Provider of a running server', (kubectl) => {
  let registry: FakeRegistry
  let running: ProviderServer
  let directory: string

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hykube-faults-'))
    registry = await FakeRegistry.start({ tls: true })
    writeFileSync(join(directory, 'authority.pem'), registry.certificate!)
    process.env.NODE_EXTRA_CA_CERTS = join(directory, 'authority.pem')
    running = await ProviderServer.start(kubectl, '--egress-allow', 'localhost', '--provider-fetch-timeout', '1s')
  }, 60_000)
  afterAll(async () => {
    await running?.remove()
    await registry?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const cache = (...names: readonly string[]) => join(running.server.dataDirectory, 'providers', 'packages', ...names)
  const filesIn = (name: string) =>
    existsSync(cache(name)) ? readdirSync(cache(name), { recursive: true }).map(String) : []
  const publish = (type: string, fault: Partial<FakePackage> = {}) =>
    registry.publish({ namespace: 'test', type, version: '1.0.0', files: [executableOf(type)], ...fault })
  const installed = async (name: string) => {
    const { status } = await running.get('provider', name)
    return status?.conditions.find((each: { type: string }) => each.type === 'Installed')
  }
  const failed = (name: string) =>
    vi.waitUntil(
      async () => {
        const found = await installed(name)
        return found?.status === 'False' && !['Pending', 'Installing'].includes(found.reason) ? found : undefined
      },
      { timeout: 30_000, interval: 200 },
    )

  const past = { date: new Date('2020-01-01'), validFor: 86_400, signsAt: new Date('2021-01-01') }
  const faults: readonly [string, () => Promise<Partial<FakePackage>>, reason: string, todo: RegExp][] = [
    ['sum', async () => ({ sum: 'ab'.repeat(32) }), 'ChecksumMismatch', /SHA256SUMS|checksum/],
    ['stranger', async () => ({ signer: await createSigner() }), 'SignatureInvalid', /signature|signing key/],
    ['expired', expiredKey, 'KeyExpired', /expired/],
    ['truncated', truncated, 'ArchiveInvalid', /archive|zip/i],
    ['slip', async () => ({ files: [executableOf('slip'), evil] }), 'ArchiveUnsafe', /\.\.\/\.\.\/evil/],
    [
      'loop',
      async () => ({ serve: (r) => r.writeHead(302, { location: r.req.url! }).end() }),
      'TooManyRedirects',
      /10/,
    ],
    ['slow', async () => ({ serve: (r) => void r.writeHead(200).write('abc') }), 'Timeout', /sent nothing for 1000 ms/],
    ['gone', async () => ({ vanished: true }), 'VersionNotFound', /choose another version/],
  ]

  async function expiredKey(): Promise<Partial<FakePackage>> {
    const signer = await createSigner(past)
    return { signer, keys: [signer] }
  }

  async function truncated(): Promise<Partial<FakePackage>> {
    const whole = makeZip([executableOf('truncated')])
    return { archive: whole.subarray(0, whole.length - 40) }
  }

  test.each(faults)(
    '%s: a condition says what is wrong, and nothing stays of it',
    async (type, fault, reason, todo) => {
      await publish(type, await fault())
      await running.apply(providerOf(type, { source: `${registry.host}/test/${type}` }))
      const condition = await failed(type)
      expect(condition).toMatchObject({ status: 'False', reason })
      expect(condition.message).toMatch(todo)
      expect(condition.message).toContain(`cannot install ${registry.host}/test/${type}`)
      await running.done(`delete provider ${type}`)
      for (const place of ['packages', 'tmp'])
        await expect
          .poll(() => filesIn(place).filter((file) => file.includes(type) || file.includes('evil')))
          .toEqual([])
      expect((await running.done('api-resources --no-headers -o name')).includes(`${type}.hykube.io`)).toBe(false)
    },
  )

  test('another archive of a locked version is refused until the lock is removed', {
    timeout: 90_000,
  }, async () => {
    await publish('acme')
    const spec = { source: `${registry.host}/test/acme`, config: { world: join(directory, 'world') } }
    await running.provide('acme', { ...spec, version: '1.0.0' })
    const { lock } = (await running.get('provider', 'acme')).status
    registry.withdraw('acme', '1.0.0')
    await publish('acme', { files: [executableOf('acme', '# changed\n')] })
    for (const name of readdirSync(cache('packages'))) rmSync(cache('packages', name), { recursive: true })
    await running.apply(providerOf('acme', { ...spec, version: '~> 1.0' }))
    const { message } = await running.condition('acme', 'Installed', 'LockMismatch')
    expect(message).toMatch(/different package of version 1\.0\.0 than the locked one.*remove the lock/)
    expect((await running.get('provider', 'acme')).status.lock).toEqual(lock)
    expect([...filesIn('packages'), ...filesIn('tmp')]).toEqual([])

    const patch = '[{"op":"remove","path":"/status/lock"}]'
    await running.done(['patch', 'provider', 'acme', '--subresource=status', '--type=json', '-p', patch])
    await running.condition('acme', 'Installed', 'Installed')
    const after = (await running.get('provider', 'acme')).status.lock
    expect(after.version).toBe('1.0.0')
    expect(after.hashes).not.toEqual(lock.hashes)
  })
})

const evil = { name: '../../evil', content: 'x' }

function executableOf(type: string, more = '') {
  const content = `#!/bin/sh\n${more}exec '${process.execPath}' '${program}' 1.0.0\n`
  return { name: `terraform-provider-${type}_v1.0.0`, content, mode: 0o100755 }
}
