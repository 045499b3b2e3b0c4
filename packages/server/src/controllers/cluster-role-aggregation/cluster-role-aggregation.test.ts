import { eventually } from '@hykube/runtime/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeWorld } from '../testing/index.ts'
import { runClusterRoleAggregationController } from './controller.ts'
import { aggregateClusterRoles, clusterRoles } from './reconcile.ts'

let world: FakeWorld
let running: Promise<void>

interface Role {
  readonly metadata: { readonly name: string; readonly labels?: Record<string, string> }
  readonly rules?: readonly object[]
  readonly aggregate?: string
}

// The real aggregation rule belongs to authorization. In this test a role takes the rules of roles with its label.
function aggregatedRules(role: object, roles: Iterable<object>): readonly object[] | undefined {
  const { aggregate, rules = [] } = role as Role
  if (aggregate === undefined) return undefined
  const wanted = [...(roles as Iterable<Role>)]
    .filter((each) => each.metadata.labels?.to === aggregate)
    .flatMap((each) => each.rules ?? [])
  return JSON.stringify(wanted) === JSON.stringify(rules) ? undefined : wanted
}

beforeEach(() => {
  world = new FakeWorld()
  running = runClusterRoleAggregationController(world.context, aggregatedRules, world.stop.signal)
})

afterEach(async () => {
  world.stop.abort()
  await running
  expect(world.errors).toEqual([])
})

const rulesOf = async (name: string, cluster = 'root') =>
  (await world.api.client(cluster).get({ ...clusterRoles, name })).rules
const rule = { verbs: ['get'] }

test('an aggregated role gets the rules of selected roles, also through another aggregated role', async () => {
  const client = world.api.client()
  await client.create(clusterRoles, { metadata: { name: 'admin' }, aggregate: 'admin' })
  await client.create(clusterRoles, { metadata: { name: 'edit', labels: { to: 'admin' } }, aggregate: 'edit' })
  await client.create(clusterRoles, { metadata: { name: 'part', labels: { to: 'edit' } }, rules: [rule] })
  await eventually(async () => expect(await rulesOf('admin')).toEqual([rule]))
  await client.delete({ ...clusterRoles, name: 'part' })
  await eventually(async () => expect(await rulesOf('admin')).toEqual([]))
})

test('one pass resolves chains of aggregated roles', async () => {
  const client = new FakeWorld().api.client()
  await client.create(clusterRoles, { metadata: { name: 'admin' }, aggregate: 'admin' })
  await client.create(clusterRoles, { metadata: { name: 'edit', labels: { to: 'admin' } }, aggregate: 'edit' })
  await client.create(clusterRoles, { metadata: { name: 'part', labels: { to: 'edit' } }, rules: [rule] })
  await aggregateClusterRoles(client, aggregatedRules, world.stop.signal)
  expect((await client.get({ ...clusterRoles, name: 'admin' })).rules).toEqual([rule])
})

test('roles of another cluster are not selected', async () => {
  await world.api.client('one').create(clusterRoles, { metadata: { name: 'admin' }, aggregate: 'admin' })
  await world.api.client('two').create(clusterRoles, { metadata: { name: 'admin' }, aggregate: 'admin' })
  await world.api
    .client('two')
    .create(clusterRoles, { metadata: { name: 'part', labels: { to: 'admin' } }, rules: [rule] })
  await eventually(async () => expect(await rulesOf('admin', 'two')).toEqual([rule]))
  expect(await rulesOf('admin', 'one')).toBeUndefined()
})

test('an up-to-date role is not written', async () => {
  await world.api.client().create(clusterRoles, { metadata: { name: 'admin' }, aggregate: 'admin', rules: [rule] })
  await world.api.client().create(clusterRoles, { metadata: { name: 'part', labels: { to: 'admin' } }, rules: [rule] })
  await world.api.client().create(clusterRoles, { metadata: { name: 'new' }, aggregate: 'none', rules: [rule] })
  await eventually(async () => expect(await rulesOf('new')).toEqual([]))
  const patches = world.api.requests.filter((request) => request.startsWith('PATCH'))
  expect(patches.filter((request) => request.endsWith('/new'))).toHaveLength(1)
})
