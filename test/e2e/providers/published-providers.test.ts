import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { objectOf, ProviderServer, providerOf } from './provider-server.ts'

// Providers as their makers publish them, each on a server of its own, from the first apply to the last destroy.

describeWith(['kubectl-1.36', 'terraform-provider-time'], 'hashicorp/time as kinds', (kubectl, executable) => {
  const server = serving(kubectl, { time: executable })
  const write = (kind: string, name: string, spec: object, annotations?: object) =>
    server.running.apply(objectOf('time', kind, name, spec, annotations))

  test('its kinds are there in seconds', () => server.showsKinds('time', {}, ['time-statics', 'time-offsets']))

  test('an object is created, read, updated, replaced, imported and destroyed', { timeout: 120_000 }, async () => {
    const base = '2026-01-01T00:00:00Z'
    await write('TimeOffset', 'o', { base_rfc3339: base, offset_hours: 36 })
    await write('TimeStatic', 's', { triggers: { of: '${time_offset.o.rfc3339}' } })
    // Without the empty map it would be replaced, with Terraform as well.
    await write('TimeStatic', 'old', { triggers: {} }, { 'hykube.io/import-id': base })
    const created = await server.applied()
    expect(created).toMatchObject({ 'time_offset.o': 'create', 'time_static.s': 'create', 'time_static.old': 'import' })
    expect(await server.attributes('time-offset', 'o')).toMatchObject({ rfc3339: '2026-01-02T12:00:00Z', day: 2 })
    expect(await server.attributes('time-static', 'old')).toMatchObject({ rfc3339: base, year: 2026 })
    expect(await server.running.plan({ refresh: 'All' })).toMatchObject({ phase: 'NoChanges' })
    await write('TimeOffset', 'o', { base_rfc3339: base, offset_hours: 48 })
    expect(await server.applied()).toEqual({ 'time_offset.o': 'update', 'time_static.s': 'replace' })
    expect(await server.running.plan({ mode: 'Destroy' })).toMatchObject({ phase: 'Applied', summary: { delete: 3 } })
  })
})

for (const [name, protocol] of [
  ['simple', 5],
  ['simple6', 6],
] as const)
  describeWith(
    ['kubectl-1.36', `terraform-provider-${name}`],
    `OpenTofu’s provider of protocol ${protocol} as kinds`,
    (kubectl, executable) => {
      const server = serving(kubectl, { [name]: executable })
      const write = (at: string, spec: object, annotations?: object) =>
        server.running.apply(objectOf(name, 'SimpleResource', at, spec, annotations))

      test('its kinds are there in seconds', () => server.showsKinds(name, {}, ['simple-resources', 'simple-resource']))

      test('an object is created, read, updated and destroyed; what it can not do is told', {
        timeout: 120_000,
      }, async () => {
        const metadata = { name: 'once', namespace: 'default' }
        await server.running.apply({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { word: 'only-once' } })
        await write('a', { value: 'first', value_wo: '${secret["once"].word}' })
        await write('b', { value: '${simple_resource.a.id}' })
        await server.running.apply(objectOf(`data.${name}`, 'SimpleResource', 'd', { value: 'looked up' }))
        expect(await server.applied()).toMatchObject({ 'simple_resource.a': 'create', 'simple_resource.b': 'create' })
        const a = await server.attributes(`simple-resources.${name}.hykube.io`, 'a')
        expect(a).toMatchObject({ value: 'first', id: expect.stringMatching(/^20\d\d-/) })
        expect(await server.attributes(`simple-resources.${name}.hykube.io`, 'b')).toMatchObject({ value: a.id })
        expect(await server.attributes(`simple-resource.data.${name}.hykube.io`, 'd')).toMatchObject({
          id: 'static_id',
        })
        expect(await server.running.plan({ refresh: 'All' })).toMatchObject({ phase: 'NoChanges' })
        await write('a', { value: 'second', value_wo: '${secret["once"].word}' })
        expect(await server.applied()).toEqual({ 'simple_resource.a': 'update' })
        await write('c', { value: 'x' }, { 'hykube.io/import-id': 'c' })
        const refused = (await server.running.plan()).changes.get('simple_resource.c')
        expect(refused).toMatchObject({ action: 'blocked', message: expect.stringMatching(/unsupported|no resources/) })
        await server.running.done(`delete simple-resources.${name}.hykube.io c`)
        expect(await server.running.plan({ mode: 'Destroy' })).toMatchObject({
          phase: 'Applied',
          summary: { delete: 2 },
        })
      })
    },
  )

describeWith(
  ['kubectl-1.36', 'terraform-provider-kubectl'],
  'gavinbunney/kubectl as kinds, with this server as its cluster',
  (kubectl, executable) => {
    const server = serving(kubectl, { kubectl: executable })
    const manifest = (name: string, to: string, annotations?: object) => {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { to } }
      return server.running.apply(
        objectOf('kubectl', 'KubectlManifest', name, { yaml_body: JSON.stringify(body) }, annotations),
      )
    }
    const data = async (name: string) => (await server.running.get('configmap', name)).data

    test('its kinds are there in seconds', async () => {
      const { url, adminToken } = server.running.server
      const metadata = { name: 'admin', namespace: 'default' }
      await server.running.apply({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { token: adminToken } })
      const token = '${secret["default/admin"].token}'
      const config = { host: url, insecure: true, load_config_file: false, token }
      await server.showsKinds('kubectl', config, ['kubectl-manifests', 'kubectl-server-version'])
    })

    test('an object is created, read, updated, put right, imported and destroyed', { timeout: 120_000 }, async () => {
      await server.running.done('create configmap old --from-literal=to=found')
      await manifest('new', 'you')
      await manifest('old', 'found', { 'hykube.io/import-id': 'v1//ConfigMap//old//default' })
      expect(await server.applied()).toMatchObject({ 'kubectl_manifest.new': 'create' })
      expect(await data('new')).toEqual({ to: 'you' })
      await manifest('new', 'me')
      expect(await server.applied()).toMatchObject({ 'kubectl_manifest.new': 'update' })
      expect(await data('new')).toEqual({ to: 'me' })
      await server.running.done(['patch', 'configmap', 'new', '--type=merge', '-p', '{"data":{"to":"nobody"}}'])
      await server.running.plan({ refresh: 'All' })
      expect(await data('new')).toEqual({ to: 'me' })
      expect(await server.running.plan({ mode: 'Destroy' })).toMatchObject({
        phase: 'Applied',
        summary: { delete: 2 },
      })
      expect((await server.running.kubectl('get configmap new old')).stderr).toMatch(
        /"new" not found(?:.|\n)*"old" not found/,
      )
    })
  },
)

/** A server with some executables as local providers, while the tests of a group run. */
function serving(kubectl: string, executables: Readonly<Record<string, string>>) {
  let running: ProviderServer
  let directory: string
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hykube-published-'))
    mkdirSync(join(directory, 'mirror'))
    for (const [name, path] of Object.entries(executables))
      symlinkSync(path, join(directory, 'mirror', `terraform-provider-${name}`))
    running = await ProviderServer.start(kubectl, '--provider-dir', join(directory, 'mirror'))
  }, 60_000)
  afterAll(async () => {
    await running?.remove()
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    get running() {
      return running
    },
    async showsKinds(name: string, config: object, kinds: readonly string[]): Promise<void> {
      const begun = performance.now()
      await running.apply(providerOf(name, { source: `local/${name}`, config }))
      await running.done(`wait --for=condition=Ready provider/${name} --timeout=60s`)
      const listed = await running.done('api-resources --no-headers -o name')
      for (const kind of kinds) expect(listed).toContain(`${kind}.`)
      expect(performance.now() - begun).toBeLessThan(90_000)
    },
    /** Plans and applies; gives the action of every change, all of which were applied. */
    async applied(): Promise<Record<string, string>> {
      const { phase, changes } = await running.plan()
      expect([phase, [...changes.values()].filter(({ outcome }) => outcome?.result !== 'applied')]).toEqual([
        'Applied',
        [],
      ])
      return Object.fromEntries([...changes].map(([address, { action }]) => [address, action]))
    },
    async attributes(kind: string, name: string) {
      return (await running.get(kind, name)).status.attributes
    },
  }
}
