import { valueObject } from '@hykube/tfplugin/value'
import { expect, test } from 'vitest'
import { worldRefusal } from './sim-worlds.ts'

const options = { dataDirectory: '/data', providerPaths: new Map([['team-a/sim', ['/worlds/a']]]) }
const refusal = (world: string, of: { cluster?: string; namespace?: string; provider?: string } = {}) =>
  worldRefusal(options, {
    cluster: 'team-a',
    provider: 'sim',
    source: 'registry.terraform.io/hykube/sim',
    namespace: 'default',
    value: valueObject({ world }),
    ...of,
  })

test.each([
  'west',
  'sqlite:west.db',
  './a/../b',
  '/worlds/a',
  '/worlds/a/deep',
  'sqlite:/worlds/a/x.db',
  '/data/worlds/sim.team-a',
])('a tenant may use the world %s', (world) => {
  expect(refusal(world)).toBeUndefined()
})

test.each([
  '/',
  '/data/hykube.db',
  'sqlite:/data/hykube.db',
  '/data/worlds',
  '/data/worlds/sim.root',
  '/data/worlds/sim.team-a/../sim.root',
  '/worlds/ab',
  '/worlds/a/../b',
  '..',
  '../x',
  'a/../../x',
  'sqlite:../../hykube.db',
])('a tenant may not use the world %s', (world) => {
  expect(refusal(world)).toContain('outside of the directories')
  expect(refusal(world, { namespace: undefined as never })).toContain('outside of the directories')
})

test('an administrator of the root cluster may use any world in a Provider', () => {
  expect(
    worldRefusal(options, {
      cluster: 'root',
      provider: 'sim',
      source: 'x/hykube/sim',
      namespace: undefined,
      value: valueObject({ world: '/any' }),
    }),
  ).toBeUndefined()
})
