import type { ProviderKind } from '@hykube/server/provider'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RowsWorld } from './rows-world.ts'

const facts = {
  labels: { team: 'web' },
  conditions: { ready: 'True', applied: 'True', drifted: 'False', stalled: 'False' },
} as const
const jane = { 'impersonate-user': 'jane' }
const rows = { verbs: ['get', 'list', 'watch'], apiGroups: ['hykube.io'], resources: ['resources'] }
const all = '/apis/hykube.io/v1alpha1/resources'
const inside = (namespace: string) => `/apis/hykube.io/v1alpha1/namespaces/${namespace}/resources`

let world: RowsWorld
let disk: ProviderKind
let zone: ProviderKind
let image: ProviderKind
/** Sorts behind the disks, in the same group. */
let net: ProviderKind

beforeEach(async () => {
  world = await RowsWorld.open()
  const ofType = (type: string) => world.kinds.find((kind) => kind.type === type)!
  disk = ofType('a_disk')
  zone = ofType('b_zone')
  image = ofType('a_image')
  net = ofType('net_a')
})
afterEach(() => world.close())

const mayList = (kind: ProviderKind, ...verbs: string[]) => ({
  verbs: verbs.length === 0 ? ['get', 'list', 'watch'] : verbs,
  apiGroups: [kind.group],
  resources: [kind.names.plural],
})
const put = (kind: ProviderKind, namespace: string, name: string, cluster = 'root') =>
  world.write(cluster, kind, namespace, name, facts)

async function names(path: string, headers: Readonly<Record<string, string>> = jane): Promise<string[]> {
  const { status, document } = await world.api.get(path, { headers })
  expect(status, JSON.stringify(document)).toBe(200)
  return document.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)
}

describe('a list of rows', () => {
  test('needs the permission to list resources, in the namespace or in the cluster', async () => {
    await put(disk, 'n1', 'x')
    await world.grant('jane', [mayList(disk)])
    expect(await world.api.get(inside('n1'), { headers: jane })).toMatchObject({ status: 403 })
    await world.grant('jane', [rows], 'n1')
    expect(await names(inside('n1'))).toEqual(['a_disk.x'])
    expect(await world.api.get(all, { headers: jane })).toMatchObject({ status: 403 })
  })

  test('holds of a cluster what a user may list in single namespaces', async () => {
    for (const namespace of ['n1', 'n2', 'n3']) for (const kind of [disk, zone]) await put(kind, namespace, namespace)
    await world.grant('jane', [rows])
    await world.grant('jane', [mayList(disk)], 'n1')
    await world.grant('jane', [mayList(disk), mayList(zone)], 'n3')
    expect(await names(all)).toEqual(['a_disk.n1', 'a_disk.n3', 'b_zone.n3'])
  })

  test('has a continue token only when a visible row follows, and it names a row of the page', async () => {
    await put(disk, 'n1', 'x')
    for (const kind of [net, zone]) await put(kind, 'n1', 'hidden')
    await world.grant('jane', [rows, mayList(disk)])
    const last = await world.api.get(`${all}?limit=1`, { headers: jane })
    expect(last.document.items).toHaveLength(1)
    expect(last.document.metadata).toEqual({ continue: '', resourceVersion: expect.any(String) })
    await put(disk, 'n2', 'y')
    const { document } = await world.api.get(`${all}?limit=1`, { headers: jane })
    expect(Buffer.from(document.metadata.continue, 'base64url').toString()).toContain('n1/x')
    expect(document.metadata).not.toHaveProperty('remainingItemCount')
  })

  test.each([
    { g: 'b.hykube.io', r: 'b-zones' },
    { g: 'b.hykube.io', r: 'b-zones', c: 'other' },
    { g: 'a.hykube.io', r: 'a-disks', c: 'other' },
    { g: '', r: '' },
    { g: 'secrets', r: 'x' },
  ])('a forged token %j leads to nothing but visible rows', async (place) => {
    for (const cluster of ['root', 'other']) for (const kind of [disk, zone]) await put(kind, 'n1', cluster, cluster)
    await world.grant('jane', [rows, mayList(disk)])
    const rv = await world.objects.now()
    const token = { v: 'meta.k8s.io/v1', rv, start: 'n0/a\0', ...place }
    const text = Buffer.from(JSON.stringify(token)).toString('base64url')
    for (const name of await names(`${all}?limit=5&continue=${text}`)) expect(name).toBe('a_disk.root')
  })

  test('refuses a token of another list', async () => {
    const token = { v: 'meta.k8s.io/v1', rv: await world.objects.now(), start: 'n1/x\0' }
    const text = Buffer.from(JSON.stringify(token)).toString('base64url')
    expect(await world.api.get(`${all}?continue=${text}`)).toMatchObject({ status: 400 })
  })

  test('costs the same, however many objects there are that the user may not see', async () => {
    await put(disk, 'n2', 'x')
    await world.grant('jane', [rows])
    await world.grant('jane', [mayList(disk)], 'n2')
    const cost = async () => {
      const before = { ...world.objects.reads }
      expect(await names(`${all}?limit=10`)).toEqual(['a_disk.x'])
      return { scans: world.objects.reads.scans - before.scans, entries: world.objects.reads.entries - before.entries }
    }
    const hide = async (count: number) => {
      for (let index = 0; index < count; index++)
        for (const [kind, namespace] of [
          [disk, 'n1'],
          [disk, 'n3'],
          [zone, 'n2'],
          [image, 'n2'],
        ] as const)
          await put(kind, namespace, `hidden-${index}`)
    }
    await hide(120)
    const few = await cost()
    await hide(1000)
    expect(await cost()).toEqual(few)
  })

  test('stays in its logical cluster', async () => {
    await put(disk, 'n1', 'here')
    await put(disk, 'n1', 'there', 'other')
    await world.grant('jane', [rows, mayList(disk)], '', 'other')
    expect(await world.api.get(all, { headers: jane })).toMatchObject({ status: 403 })
    expect(await names(`/clusters/other${all}`)).toEqual(['a_disk.there'])
    expect(await names(all, {})).toEqual(['a_disk.here'])
  })

  test('by name asks for the permission on that object', async () => {
    await put(disk, 'n1', 'mine')
    await put(disk, 'n1', 'other')
    await world.grant('jane', [rows, { ...mayList(disk), resourceNames: ['mine'] }])
    expect(await names(all)).toEqual([])
    expect(await names(`${inside('n1')}?fieldSelector=metadata.name=a_disk.mine`)).toEqual(['a_disk.mine'])
    expect(await names(`${inside('n1')}?fieldSelector=metadata.name=a_disk.other`)).toEqual([])
  })
})

describe('a row of a name', () => {
  const at = (name: string) => `${inside('n1')}/${encodeURIComponent(name)}`

  test('does not tell whether an object exists that the user may not get', async () => {
    await put(disk, 'n1', 'x')
    await world.grant('jane', [rows, mayList(disk, 'list')])
    const answers = await Promise.all(['x', 'y'].map((name) => world.api.get(at(`a_disk.${name}`), { headers: jane })))
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
    const [there, missing] = answers.map(({ document }) => document.message)
    expect(there).toBe(
      'a-disks.a.hykube.io "x" is forbidden: User "jane" cannot get resource "a-disks" in API group "a.hykube.io" in the namespace "n1"',
    )
    expect(missing).toBe(there.replace('"x"', '"y"'))
  })

  test('is found by its one name', async () => {
    await put(disk, 'n1', 'x')
    await put(disk, 'n1', 'a-b')
    await put(world.kinds.find(({ type, provider }) => type === 'net_a' && provider === 'b')!, 'n1', 'x')
    const status = async (name: string) => (await world.api.get(at(name))).status
    expect(await Promise.all(['a_disk.x', 'a_disk["a-b"]', 'provider["b"].net_a.x'].map(status))).toEqual([
      200, 200, 200,
    ])
    const others = [
      'a_disk["x"]',
      'a_disk.a-b',
      'provider["a"].a_disk.x',
      'net_a.x',
      'provider["a"].net_a.x',
      'a_disk.x[0]',
    ]
    for (const name of [...others, 'a_disk["n1/x"]', 'data.a_disk.x', 'x', '..', 'nothing.x'])
      expect([name, await status(name)]).toEqual([name, 404])
  })

  test('can not be written', async () => {
    await put(disk, 'n1', 'x')
    for (const [method, path] of [
      ['POST', inside('n1')],
      ['PUT', at('a_disk.x')],
      ['PATCH', at('a_disk.x')],
      ['DELETE', at('a_disk.x')],
      ['DELETE', inside('n1')],
    ] as const)
      expect(await world.api.send(method, path, { body: {} })).toMatchObject({ status: 405 })
  })
})

describe('a watch of rows', () => {
  const watchFrom = async (path: string, resourceVersion: string, headers = jane) =>
    world.api.watch(`${path}?watch=true&resourceVersion=${resourceVersion}`, headers)
  const revision = async () => String(await world.objects.now())

  test('shows what the user may watch, and nothing of the rest', async () => {
    await world.grant('jane', [rows, mayList(zone, 'list')])
    await world.grant('jane', [mayList(disk)], 'n1')
    const watch = await watchFrom(all, await revision())
    for (const [kind, namespace] of [
      [zone, 'n1'],
      [disk, 'n2'],
      [image, 'n1'],
      [disk, 'n1'],
    ] as const)
      await put(kind, namespace, 'x')
    await put(disk, 'n1', 'x', 'other')
    await put(disk, 'n1', 'y')
    for (const name of ['a_disk.x', 'a_disk.y'])
      expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name, namespace: 'n1' } } })
    await watch.stop()
  })

  test.each(['grant', 'revoke'])('ends with 410 after a %s, and shows nothing in between', async (change) => {
    await world.grant('jane', [rows])
    const granted = await world.grant('jane', [mayList(disk)], 'n1')
    const watch = await watchFrom(all, await revision())
    if (change === 'grant') await world.grant('jane', [mayList(zone)], 'n2')
    else await world.revoke(granted, 'n1')
    await put(disk, 'n2', 'hidden')
    expect(await watch.next()).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
    await watch.ended
  })

  test('goes on when permissions change that do not concern it', async () => {
    await world.grant('jane', [rows, mayList(disk)])
    const watch = await watchFrom(inside('n1'), await revision())
    await world.grant('john', [mayList(zone)])
    await world.grant('jane', [mayList(zone)], 'n2')
    await world.grant('jane', [{ verbs: ['list'], apiGroups: [''], resources: ['secrets'] }])
    await new Promise((resolve) => setImmediate(resolve))
    await put(disk, 'n1', 'x')
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a_disk.x' } } })
    await watch.stop()
  })

  test('does not begin at a revision with other permissions', async () => {
    await world.grant('jane', [rows])
    const before = await revision()
    await world.grant('jane', [mayList(disk)])
    expect(await (await watchFrom(all, before)).next()).toMatchObject({ type: 'ERROR', object: { code: 410 } })
  })

  test('ends with 410 when rows get other names', async () => {
    world.remove('root', 'b')
    const { document } = await world.api.get(all)
    const watch = await watchFrom(all, document.metadata.resourceVersion, {} as never)
    world.serve('root', 'b')
    expect(await watch.next()).toMatchObject({ type: 'ERROR', object: { code: 410 } })
  })

  test('has initial events, bookmarks and tables like any other', async () => {
    await put(disk, 'n1', 'x')
    const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    const plain = await world.api.watch(`${all}?${query}`)
    expect(await plain.next()).toMatchObject({ type: 'ADDED', object: { kind: 'Resource' } })
    expect(await plain.next()).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'Resource', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    })
    await plain.stop()
    const tables = await world.api.watch(`${all}?watch=true`, table)
    expect((await tables.next())?.object.rows[0].cells.slice(0, 7)).toEqual([
      'a_disk',
      'x',
      'True',
      'True',
      'Test',
      'False',
      'a',
    ])
    await tables.stop()
  })

  test('of all logical clusters says of which one a row is, as a list does', async () => {
    const open = await RowsWorld.open(true)
    await open.write('root', disk, 'n1', 'here', facts)
    await open.write('other', disk, 'n1', 'there', facts)
    const list = `/clusters/*${all}`
    const { document } = await open.api.get(`${list}?limit=1`)
    const next = await open.api.get(`${list}?limit=1&continue=${document.metadata.continue}`)
    const place = (object: { metadata: { name: string; annotations: Record<string, string> } }) =>
      `${object.metadata.annotations['kcp.io/cluster']} ${object.metadata.name}`
    expect([...document.items, ...next.document.items].map(place)).toEqual(['other a_disk.there', 'root a_disk.here'])
    const watch = await open.api.watch(`${list}?watch=true&resourceVersion=${next.document.metadata.resourceVersion}`)
    await open.write('other', disk, 'n1', 'new', facts)
    expect(place((await watch.next())?.object)).toBe('other a_disk.new')
    await watch.stop()
    await open.close()
  })
})
