import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeRegistry } from '@hykube/server/provider/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { hykube } from '../cli/hykube.ts'
import { objectOf, ProviderServer, providerOf } from './provider-server.ts'

const program = join(import.meta.dirname, '../../fixtures/versioned-provider/main.ts')

describeWith(['kubectl-1.36'], 'Providers on a running server', (kubectl) => {
  let registry: FakeRegistry
  let running: ProviderServer
  let directory: string

  const publish = (version: string, more: object = {}) =>
    registry.publish({ namespace: 'test', type: 'acme', version, files: [executableOf(version)], ...more })
  const world = (name: string) => join(directory, name)
  const source = () => `${registry.host}/test/acme`
  const box = (provider: string, name: string, spec: object = { name }) => objectOf(provider, 'AcmeBox', name, spec)
  const made = (provider: string, name: string, kind = 'box') =>
    JSON.parse(readFileSync(join(world(provider), kind, `${name}.json`), 'utf8'))

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hykube-lifecycle-'))
    // Each Provider runs as a user of its own.
    chmodSync(directory, 0o777)
    registry = await FakeRegistry.start({ tls: true })
    writeFileSync(join(directory, 'authority.pem'), registry.certificate!)
    process.env.NODE_EXTRA_CA_CERTS = join(directory, 'authority.pem')
    await publish('1.0.0')
    await publish('2.0.0')
    running = await ProviderServer.start(kubectl, '--egress-allow', 'localhost')
  })
  afterAll(async () => {
    await running?.remove()
    await registry?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  test('a Provider is installed, locked and told of, step by step', async () => {
    await running.provide('one', { source: source(), version: '~> 1.0', config: { world: world('one') } })
    const { status } = await running.get('provider', 'one')
    expect(status.lock).toMatchObject({ version: '1.0.0' })
    expect(status.lock.hashes.length).toBeGreaterThan(0)
    const events = await running.get('events', '-n', 'default')
    const about = events.items.filter(
      (each: { involvedObject: { name: string } }) => each.involvedObject.name === 'one',
    )
    expect(about.map((each: { reason: string }) => each.reason)).toEqual(
      expect.arrayContaining(['Installing', 'Installed', 'Served']),
    )
  })

  test('an upgrade keeps objects of a type that is gone readable and says so; a downgrade takes it back', {
    timeout: 90_000,
  }, async () => {
    const spec = { source: source(), config: { world: world('up') } }
    await running.provide('up', { ...spec, version: '1.0.0' })
    await running.apply(box('up', 'b'), objectOf('up', 'AcmeCrate', 'c', { name: 'c' }))
    expect(await running.plan()).toMatchObject({ phase: 'Applied' })

    await running.apply(providerOf('up', { ...spec, version: '2.0.0' }))
    await running.done('wait provider/up --for=jsonpath={.status.lock.version}=2.0.0 --timeout=60s')
    const { message } = await running.condition('up', 'Ready', 'Served')
    expect(message).toContain('acme-crates is no longer a type of this version: its 1 objects can be read')
    expect((await running.get('acme-crates.up.hykube.io', 'c')).status.attributes).toMatchObject({ id: 'c' })
    const refused = await running.kubectl([
      'patch',
      'acme-crates.up.hykube.io',
      'c',
      '--type=merge',
      '-p',
      '{"spec":{"name":"x"}}',
    ])
    expect(refused.code).not.toBe(0)
    const patch = ['patch', 'acme-boxes.up.hykube.io', 'b', '--type=merge', '-p', '{"spec":{"color":"red"}}']
    await running.done(patch)
    const { changes } = await running.plan()
    expect(changes.get('acme_box.b')).toMatchObject({ action: 'update', outcome: { result: 'applied' } })
    expect(made('up', 'b').version).toBe('2.0.0')
    // A Provider with existing real resources is not deleted.
    const held = await running.kubectl('delete provider up --wait=false')
    expect(held.stderr).toContain('acme-crates.up.hykube.io default/c')

    await running.apply(providerOf('up', { ...spec, version: '1.0.0' }))
    await running.done('wait provider/up --for=jsonpath={.status.lock.version}=1.0.0 --timeout=60s')
    await running.done(['patch', 'acme-crates.up.hykube.io', 'c', '--type=merge', '-p', '{"spec":{"name":"x"}}'])
    expect((await running.plan()).changes.get('acme_crate.c')).toMatchObject({ outcome: { result: 'applied' } })
    expect(made('up', 'c', 'crate').name).toBe('x')
  })

  test('hykube providers upgrade tells the outcome of this version, not of the one before', async () => {
    await running.provide('cli', { source: source(), version: '1.0.0', config: { world: world('cli') } })
    const run = hykube(running.server)
    const missing = await run(['providers', 'upgrade', 'cli', '~> 9.0'])
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot install') })
    expect(missing.stderr).toContain('9.0')
    const upgraded = await run(['providers', 'upgrade', 'cli', '2.0.0'])
    expect(upgraded.code, upgraded.stderr).toBe(0)
    expect(upgraded.stdout).toContain('2.0.0')
    expect(await run(['providers', 'upgrade', 'cli', '2.0.0'])).toMatchObject({ code: 0 })
  }, 60_000)

  test('a lock holds: a newer version is taken only when the constraint leaves no other way', async () => {
    const spec = { source: source(), config: { world: world('locked') } }
    const locked = async () => (await running.get('provider', 'locked')).status.lock.version
    await publish('3.0.0')
    await running.provide('locked', { ...spec, version: '>= 3.0' })
    await publish('3.1.0')
    await running.provide('locked', { ...spec, version: '>= 3.0.0, < 4' })
    await running.condition('locked', 'Ready', 'Served')
    expect(await locked()).toBe('3.0.0')
    await running.apply(providerOf('locked', { ...spec, version: '>= 3.1' }))
    await running.done('wait provider/locked --for=jsonpath={.status.lock.version}=3.1.0 --timeout=60s')
  })

  test.each([
    ['NotFound', () => ({ source: `${registry.host}/test/none` }), 'none'],
    ['VersionNotFound', () => ({ source: source(), version: '>= 99' }), '99'],
    ['ChecksumMismatch', () => ({ source: `${registry.host}/test/wrong` }), 'wrong'],
    ['RegistryUnreachable', () => ({ source: 'localhost:1/test/acme' }), 'localhost:1'],
  ])('a failure is a condition with what to do: %s', async (reason, spec, named) => {
    await registry.publish({ namespace: 'test', type: 'wrong', version: '1.0.0', sum: 'ab'.repeat(32) })
    const name = `failing-${named.replaceAll(/[^a-z0-9]/g, '')}`
    await running.apply(providerOf(name, spec()))
    const installed = await vi.waitUntil(async () => {
      const { status } = await running.get('provider', name)
      const found = status?.conditions.find((each: { type: string }) => each.type === 'Installed')
      return found?.reason === 'Installing' ? undefined : found
    }, 20_000)
    expect(installed).toMatchObject({ status: 'False', reason })
    expect(installed.message).toContain(named)
    const events = await running.get('events', '-n', 'default')
    const about = events.items.filter((each: { involvedObject: { name: string } }) => each.involvedObject.name === name)
    expect(about).toContainEqual(expect.objectContaining({ type: 'Warning', reason }))
    await running.done(`delete provider ${name}`)
  })

  test('a registry that is back is asked again by itself', { timeout: 90_000 }, async () => {
    registry.intercept = (_, response) => {
      response.destroy()
      return true
    }
    await running.apply(providerOf('late', { source: source(), version: '2.0.0', config: { world: world('late') } }))
    await running.condition('late', 'Installed', 'RegistryUnreachable')
    registry.intercept = undefined
    await running.done('wait --for=condition=Ready provider/late --timeout=60s')
  })

  test('two Providers of one source share nothing', { timeout: 90_000 }, async () => {
    for (const name of ['a', 'b', 'other'])
      await running.provide(name, {
        source: source(),
        version: '1.0.0',
        config: { world: world(name), token: `of-${name}` },
      })
    const referring = { name: `\${acme_box.first.id}-second` }
    for (const name of ['a', 'b']) await running.apply(box(name, 'first'), box(name, 'second', referring))
    // A type that two Providers have is meant of the writer's own; elsewhere it must be said.
    const elsewhere = objectOf('other', 'AcmeBox', 'third', { name: `\${provider["a"].acme_box.first.id}-third` })
    await running.apply(elsewhere)
    const plan = await running.plan()
    expect(plan).toMatchObject({ phase: 'Applied' })
    for (const name of ['a', 'b']) expect(made(name, 'first-second').token).toBe(`of-${name}`)
    expect(made('other', 'first-third').name).toBe('first-third')
    // Rights to one are no rights to the other.
    await running.done('create clusterrole of-a --verb=get,list --resource=acme-boxes.a.hykube.io')
    await running.done('create clusterrolebinding of-a --clusterrole=of-a --user=ann')
    expect((await running.kubectl('get acme-boxes.a.hykube.io --as=ann')).code).toBe(0)
    expect((await running.kubectl('get acme-boxes.b.hykube.io --as=ann')).stderr).toContain('Forbidden')

    const refused = await running.kubectl('delete provider a --wait=false')
    expect(refused.stderr).toMatch(/Conflict|holds objects/)
    expect(refused.stderr).toContain('acme-boxes.a.hykube.io default/first')
    expect(refused.stderr).not.toContain('acme-boxes.b.')
    await running.done('delete acme-boxes.other.hykube.io third --wait=false')
    await running.done('delete acme-boxes.a.hykube.io first second --wait=false')
    await running.plan()
    expect(existsSync(join(world('a'), 'box', 'first.json'))).toBe(false)
    expect(existsSync(join(world('b'), 'box', 'first.json'))).toBe(true)
    await running.done('delete provider a --timeout=60s')
    await expect.poll(async () => (await running.kubectl('get acme-boxes.a.hykube.io')).code).not.toBe(0)
    expect((await running.get('acme-boxes.b.hykube.io', 'first')).status.attributes.id).toBe('first')
  })

  test('a Provider that may take along what it made stays until a plan has destroyed that', {
    timeout: 90_000,
  }, async () => {
    await running.provide('gone', { source: source(), version: '1.0.0', config: { world: world('gone') } })
    const kept = box('gone', 'kept', { name: 'kept', lifecycle: { prevent_destroy: true } })
    await running.apply(box('gone', 'made'), kept)
    expect(await running.plan()).toMatchObject({ phase: 'Applied' })
    await running.apply(box('gone', 'never-applied'))
    await running.done('annotate provider gone hykube.io/destroy=allowed')
    expect((await running.kubectl('delete provider gone --wait=false')).stderr).toContain('use --wait=false')

    const { message } = await running.condition('gone', 'Terminating', 'ObjectsRemain')
    expect(message).toMatch(
      /^2 objects have real resources: .*prevent_destroy keeps acme-boxes.gone.hykube.io default\/kept$/,
    )
    expect((await running.kubectl('get acme-boxes.gone.hykube.io never-applied')).stderr).toContain('NotFound')
    expect((await running.get('acme-boxes.gone.hykube.io', 'made')).metadata.deletionTimestamp).toBeDefined()
    expect((await running.get('acme-boxes.gone.hykube.io', 'kept')).metadata.deletionTimestamp).toBeUndefined()
    const late = await running.kubectl(['apply', '-f', '-'], { input: JSON.stringify(box('gone', 'late')) })
    expect(late.stderr).toContain('the Provider "gone" is being deleted')

    expect((await running.plan()).changes.get('acme_box.made')).toMatchObject({ action: 'delete' })
    expect(existsSync(join(world('gone'), 'box', 'made.json'))).toBe(false)
    await running.apply(box('gone', 'kept'))
    await running.plan()
    await running.done('wait acme-boxes.gone.hykube.io/kept --for=jsonpath={.metadata.deletionTimestamp} --timeout=60s')
    await running.plan()
    expect(existsSync(join(world('gone'), 'box', 'kept.json'))).toBe(false)
    await running.done('wait provider/gone --for=delete --timeout=60s')
    expect(await running.done('get customresourcedefinitions -o name')).not.toContain('.gone.hykube.io')
    await expect.poll(async () => (await running.kubectl('get acme-boxes.gone.hykube.io')).code).not.toBe(0)

    // The name is free.
    await running.provide('gone', { source: source(), version: '1.0.0', config: { world: world('gone') } })
    await running.apply(box('gone', 'made'))
  })

  test('credentials come from Secrets, and reach only the process of their configuration', async () => {
    const secret = (name: string, token: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'default' },
      stringData: { token },
    })
    await running.apply(secret('east', 'token-of-east'), secret('west', 'token-of-west'))
    const spec = { source: source(), version: '1.0.0' }
    const east = `\${secret["default/east"].token}`
    await running.provide('cred', { ...spec, config: { world: world('cred'), token: east } })
    const west = { provider: 'cred', config: { world: world('cred'), token: `\${secret["west"].token}` } }
    await running.apply(
      {
        apiVersion: 'hykube.io/v1alpha1',
        kind: 'ProviderConfig',
        metadata: { name: 'west', namespace: 'default' },
        spec: west,
      },
      box('cred', 'e'),
      box('cred', 'w', { name: 'w', provider: 'west' }),
    )
    expect(await running.plan()).toMatchObject({ phase: 'Applied' })
    const [e, w] = [made('cred', 'e'), made('cred', 'w')]
    expect([e.token, w.token]).toEqual(['token-of-east', 'token-of-west'])
    expect(e.pid).not.toBe(w.pid)
    expect(JSON.stringify([e.environment, w.environment])).not.toContain('token-of-')
    const shown = await running.done('get providers,providerconfigs,acme-boxes.cred.hykube.io,plans -A -o json')
    expect(shown).not.toContain('token-of-')
  })

  test('a provider that crashes hurts only its own calls, and the condition explains it', {
    timeout: 90_000,
  }, async () => {
    await running.provide('odd', { source: source(), version: '1.0.0', config: { world: world('odd') } })
    await running.provide('calm', { source: source(), version: '1.0.0', config: { world: world('calm') } })
    await running.apply(box('odd', 'crash'), box('calm', 'fine'))
    const { phase, changes } = await running.plan()
    expect(phase).toBe('PartiallyApplied')
    // The outcome of the call is unknown, so the resource is not created a second time.
    expect(changes.get('acme_box.crash')).toMatchObject({ outcome: { result: 'unknown' } })
    expect(made('calm', 'fine').name).toBe('fine')
    const stalled = async (name: string) =>
      (await running.get('acme-boxes.odd.hykube.io', name)).status.conditions.find(
        (each: { type: string }) => each.type === 'Stalled',
      )
    expect(await stalled('crash')).toMatchObject({ status: 'True', reason: 'OutcomeUnknown' })
    expect((await stalled('crash')).message).toMatch(/its process ended with exit code 7/)
    await running.apply(box('odd', 'after'))
    const again = await running.plan({ targets: ['provider["odd"].acme_box.after'] })
    expect(again).toMatchObject({ phase: 'Applied' })
  })
})

function executableOf(version: string) {
  const content = `#!/bin/sh\nexec '${process.execPath}' '${program}' ${version}\n`
  return { name: `terraform-provider-acme_v${version}`, content, mode: 0o100755 }
}
