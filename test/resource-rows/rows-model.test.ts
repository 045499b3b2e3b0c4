import type { TestEvent } from '@hykube/server/http/testing'
import type { ProviderKind } from '@hykube/server/provider'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Conditions, namespaces, RowsWorld, rowNameOf } from './rows-world.ts'

// More runs by environment variable, for a longer search.
const runs = Number(process.env.ROWS_RUNS ?? 40)

test('rows are the union of the lists of the kinds that a user may list, for any selectors and pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 5, maxLength: 40 }),
      fc.array(permission, { maxLength: 6 }),
      fc.array(query, { minLength: 1, maxLength: 6 }),
      async (writes, permissions, queries) => {
        const world = await RowsWorld.open()
        try {
          await mayListRows(world)
          for (const each of permissions) await world.grant('jane', [ruleOf(each, ['list', 'get'])], each.namespace)
          for (const each of writes) await carryOut(world, each)
          for (const each of queries) await checkList(world, each)
        } finally {
          await world.close()
        }
      },
    ),
    { numRuns: runs },
  )
}, 240_000)

test('a watch leads from any list to any later list, also when permissions change', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { maxLength: 20 }),
      fc.array(permission, { minLength: 1, maxLength: 4 }),
      query,
      fc.array(fc.oneof({ weight: 8, arbitrary: write }, { weight: 1, arbitrary: permission }), { maxLength: 30 }),
      async (before, permissions, asked, steps) => {
        const world = await RowsWorld.open()
        try {
          await mayListRows(world)
          for (const each of permissions) await world.grant('jane', [ruleOf(each, ['list', 'watch'])], each.namespace)
          for (const each of before) await carryOut(world, each)
          const client = await Follower.open(world, asked)
          for (const step of steps) {
            if ('labels' in step) await carryOut(world, step)
            else await world.grant('jane', [ruleOf(step, ['list', 'watch'])], step.namespace)
          }
          await client.catchUp()
          const { items } = await listRows(world, { ...asked, limit: 0 })
          expect(client.rows()).toEqual(items.map(factsOf).sort(byName))
        } finally {
          await world.close()
        }
      },
    ),
    { numRuns: runs },
  )
}, 240_000)

const status = fc.constantFrom('True', 'False', 'Unknown')
const label = fc.constantFrom('web', 'db')

const write = fc.record({
  cluster: fc.constantFrom('root', 'root', 'root', 'other'),
  kind: fc.nat({ max: 4 }),
  namespace: fc.constantFrom(...namespaces),
  name: fc.constantFrom('x', 'y', 'a-b', 'true'),
  labels: fc.record({ team: label }),
  conditions: fc.record({
    ready: status,
    applied: status,
    drifted: status,
    stalled: status,
  }) as fc.Arbitrary<Conditions>,
  isDelete: fc.boolean(),
})
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never

const permission = fc.record({
  /** '' for the whole cluster. */
  namespace: fc.constantFrom('', ...namespaces),
  /** Of a kind, of a group, or of all groups. */
  reach: fc.constantFrom('kind', 'kind', 'group', 'all', 'named'),
  kind: fc.nat({ max: 4 }),
})
type Permission = typeof permission extends fc.Arbitrary<infer T> ? T : never

const query = fc.record({
  provider: fc.constantFrom(undefined, 'a', 'b'),
  namespace: fc.constantFrom('', ...namespaces),
  labelSelector: fc.constantFrom('', 'team=web', 'team!=web', 'team in (db)', 'none'),
  fields: fc.dictionary(fc.constantFrom('ready', 'applied', 'drifted', 'stalled'), status, { maxKeys: 2 }),
  type: fc.constantFrom(undefined, 'net_a', 'data.a_image', 'a_disk', 'nothing'),
  notProvider: fc.constantFrom(undefined, undefined, 'a'),
  limit: fc.nat({ max: 7 }),
})
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never

async function mayListRows(world: RowsWorld): Promise<void> {
  const verbs = ['get', 'list', 'watch']
  await world.grant('jane', [
    { verbs, apiGroups: ['hykube.io'], resources: ['resources'] },
    { verbs, apiGroups: ['a.hykube.io'], resources: ['a'] },
    { verbs, apiGroups: ['b.hykube.io'], resources: ['b'] },
  ])
}

function kindAt(world: RowsWorld, index: number): ProviderKind {
  return world.kinds[index % world.kinds.length]!
}

function ruleOf({ reach, kind }: Permission, verbs: readonly string[]) {
  const { group, names } = kindAt(shapes, kind)
  const apiGroups = [reach === 'all' ? '*' : group]
  const resources = [reach === 'kind' || reach === 'named' ? names.plural : '*']
  return { verbs: [...verbs], apiGroups, resources, ...(reach === 'named' && { resourceNames: ['x'] }) }
}

// Rules are made before there is a world; its kinds are always the same.
const shapes = await RowsWorld.open()

async function carryOut(
  world: RowsWorld,
  { cluster, kind, namespace, name, isDelete, ...facts }: Write,
): Promise<void> {
  await world.write(cluster, kindAt(world, kind), namespace, name, isDelete ? undefined : facts)
}

const jane = { 'impersonate-user': 'jane' }

async function checkList(world: RowsWorld, asked: Query): Promise<void> {
  const expected = await expectedRows(world, asked)
  const whole = await listRows(world, { ...asked, limit: 0 })
  expect(whole.items.map(factsOf).sort(byName)).toEqual(expected)
  const paged: unknown[] = []
  let pages = 0
  for (let token = ''; ; ) {
    const page = await listRows(world, asked, token)
    // A token says that something follows which the user may see; selectors may leave it out.
    if (token !== '' && selectsAll(asked)) expect(page.items.length).toBeGreaterThan(0)
    paged.push(...page.items)
    if (asked.limit > 0) expect(page.items.length).toBeLessThanOrEqual(asked.limit)
    expect(page.metadata.remainingItemCount).toBeUndefined()
    token = page.metadata.continue ?? ''
    if (token === '') break
    expect(page.items.length).toBe(asked.limit)
    // Writes between pages are not in later pages.
    await world.write('root', kindAt(world, pages++), 'n1', 'later', none)
  }
  expect(paged).toEqual(whole.items)
  for (const { metadata } of whole.items) {
    const path = `/apis/hykube.io/v1alpha1/namespaces/${metadata.namespace}/resources/${encodeURIComponent(metadata.name)}`
    const { status, document } = await world.api.get(path, { headers: jane })
    if (status === 200) expect(document.metadata.name).toBe(metadata.name)
    else expect(status).toBe(403)
  }
}

function selectsAll({ labelSelector, fields, type, notProvider }: Query): boolean {
  return labelSelector === '' && Object.keys(fields).length === 0 && type === undefined && notProvider === undefined
}

const none = {
  labels: { team: 'web' },
  conditions: { ready: 'True', applied: 'True', drifted: 'False', stalled: 'False' },
} as const

/** The objects that the lists of the single kinds give the user. */
async function expectedRows(world: RowsWorld, asked: Query): Promise<unknown[]> {
  const found: object[] = []
  for (const kind of world.kinds) {
    if (asked.provider !== undefined && kind.provider !== asked.provider) continue
    const base = `/apis/${kind.group}/v1`
    const wide = await world.api.get(`${base}/${kind.names.plural}`, { headers: jane })
    const lists = asked.namespace === '' ? (wide.status === 200 ? [] : namespaces) : [asked.namespace]
    const answers = [
      ...(asked.namespace === '' ? [wide] : []),
      ...(await Promise.all(
        lists.map((namespace) =>
          world.api.get(`${base}/namespaces/${namespace}/${kind.names.plural}`, { headers: jane }),
        ),
      )),
    ]
    for (const { status, document } of answers)
      if (status === 200)
        for (const item of document.items)
          if (isSelected(kind, item, asked)) found.push({ ...factsOf(item), name: rowNameOf(kind, item.metadata.name) })
  }
  return found.sort(byName)
}

// biome-ignore lint/suspicious/noExplicitAny: documents of the API
function isSelected(kind: ProviderKind, item: any, { labelSelector, fields, type, notProvider }: Query): boolean {
  const { team } = item.metadata.labels
  const isLabelled = {
    '': true,
    'team=web': team === 'web',
    'team!=web': team !== 'web',
    'team in (db)': team === 'db',
    none: false,
  }[labelSelector]
  const own = `${kind.mode === 'data' ? 'data.' : ''}${kind.type}`
  if (!isLabelled || (type !== undefined && type !== own) || kind.provider === notProvider) return false
  return Object.entries(fields).every(([field, wanted]) =>
    item.status.conditions.some(
      (each: { type: string; status: string }) => each.type.toLowerCase() === field && each.status === wanted,
    ),
  )
}

async function listRows(world: RowsWorld, asked: Query, token = '') {
  const { status, document } = await world.api.get(pathOf(asked, { continue: token }), { headers: jane })
  expect(status, JSON.stringify(document)).toBe(200)
  return document
}

function pathOf(
  { provider, namespace, labelSelector, fields, type, notProvider, limit }: Query,
  more: Readonly<Record<string, string>>,
): string {
  const base = provider === undefined ? '/apis/hykube.io/v1alpha1' : `/apis/${provider}.hykube.io/v1`
  const place = namespace === '' ? '' : `/namespaces/${namespace}`
  const fieldSelector = [
    ...Object.entries(fields).map(([field, value]) => `${field}=${value}`),
    ...(type === undefined ? [] : [`type=${type}`]),
    ...(notProvider === undefined ? [] : [`provider!=${notProvider}`]),
  ].join(',')
  const query = new URLSearchParams({ labelSelector, fieldSelector, limit: String(limit), ...more })
  return `${base}${place}/${provider ?? 'resources'}?${query}`
}

// biome-ignore lint/suspicious/noExplicitAny: documents of the API
function factsOf({ metadata, status }: any) {
  const { namespace, name, labels, resourceVersion } = metadata
  return { namespace, name, labels, resourceVersion, conditions: status.conditions }
}

// biome-ignore lint/suspicious/noExplicitAny: documents of the API
function byName(a: any, b: any): number {
  const [one, two] = [`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`]
  return one < two ? -1 : one > two ? 1 : 0
}

/** A client that keeps rows as informers do: a list, a watch from its revision, and a new list after a 410. */
class Follower {
  readonly #world: RowsWorld
  readonly #asked: Query
  // biome-ignore lint/suspicious/noExplicitAny: documents of the API
  readonly #rows = new Map<string, any>()
  #watch!: Awaited<ReturnType<RowsWorld['api']['watch']>>
  /** How many permissions had changed when the rows were listed. */
  #grants = 0

  private constructor(world: RowsWorld, asked: Query) {
    this.#world = world
    this.#asked = { ...asked, limit: 0 }
  }

  static async open(world: RowsWorld, asked: Query): Promise<Follower> {
    const follower = new Follower(world, asked)
    await follower.#list()
    return follower
  }

  rows(): unknown[] {
    return [...this.#rows.values()].map(factsOf).sort(byName)
  }

  /**
   * Takes all events up to now: a provider that is served again ends the watch, after the events that it has. A watch that
   * ended because of permissions is followed by a new list.
   */
  async catchUp(): Promise<void> {
    for (;;) {
      await this.#world.settle()
      this.#world.serve('root', 'a')
      while (await this.#take(await this.#watch.next()));
      if (this.#grants === this.#world.grants) return
      await this.#list()
    }
  }

  async #list(): Promise<void> {
    this.#grants = this.#world.grants
    const { items, metadata } = await listRows(this.#world, this.#asked)
    this.#rows.clear()
    for (const item of items) this.#rows.set(keyOf(item), item)
    const { resourceVersion } = metadata
    this.#watch = await this.#world.api.watch(pathOf(this.#asked, { watch: 'true', resourceVersion }), jane)
  }

  // False at the end of the watch.
  async #take(event: TestEvent | undefined): Promise<boolean> {
    expect(event).toBeDefined()
    const { type, object } = event!
    if (type === 'ERROR') {
      expect(object.code).toBe(410)
      return false
    }
    const key = keyOf(object)
    expect(this.#rows.has(key), `${type} ${key}`).toBe(type !== 'ADDED')
    if (type === 'DELETED') this.#rows.delete(key)
    else this.#rows.set(key, object)
    return true
  }
}

// biome-ignore lint/suspicious/noExplicitAny: documents of the API
function keyOf({ metadata }: any): string {
  return `${metadata.namespace}/${metadata.name}`
}
