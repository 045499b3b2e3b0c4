import { expect, test } from 'vitest'
import { SharedIds } from './shared-ids.ts'
import type { StateResource } from './state-file.ts'
import type { StateTarget } from './state-targets.ts'

function password(name: string, ...ids: string[]): StateResource {
  const provider = { source: 'registry.terraform.io/hashicorp/random', alias: '' }
  const instances = ids.map((id) => ({ attributes: { id } }))
  return { file: 'f', module: '', type: 'random_password', name, provider, instances, dependencies: [] }
}

function target(name: string, configuration = ''): StateTarget {
  const at = { group: 'random.hykube.io', version: 'v1', resource: 'random-passwords', namespace: 'n', name }
  return { at, configuration }
}

test('names the resources of a state that have the same id with one configuration', () => {
  const [a, b, c, d] = [
    password('a', 'none'),
    password('b', 'x', 'none'),
    password('c', 'none'),
    password('d', 'y', 'y'),
  ]
  const targets = new Map([
    [a!, target('a')],
    [b!, target('own')],
    [c!, target('c', 'west')],
    [d!, target('d')],
  ])
  const shared = new SharedIds(targets)
  expect(shared.othersOf(a!)).toEqual(['random_password.own'])
  expect(shared.othersOf(b!)).toEqual(['random_password.a'])
  expect(shared.othersOf(c!)).toEqual([])
  expect(shared.othersOf(d!)).toEqual([])
  expect(shared.warnings).toEqual([
    'random_password.a (random_password.a), random_password.b (random_password.own) have the same id: check that they are not one resource',
  ])
})
