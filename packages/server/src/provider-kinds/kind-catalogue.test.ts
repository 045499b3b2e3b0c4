import { describe, expect, test } from 'vitest'
import { addressOf, type ResourceKind } from '../model/index.ts'
import { ServedKinds } from './kind-catalogue.ts'

describe('a type of several providers', () => {
  const kinds = new ServedKinds()
  kinds.serve('root', 'a', [kindOf('a', 'sim_network'), kindOf('a', 'sim_subnet')])
  const address = (provider: string, resource: string) => {
    const group = `${provider}.hykube.io`
    const kind = kinds.at('root', group, resource)!
    return addressOf({ ref: { cluster: 'root', group, resource, namespace: 'default', name: 'x' }, kind })
  }

  test('has the provider in its addresses while several providers have it', () => {
    expect(address('a', 'sim-networks')).toBe('sim_network.x')
    kinds.serve('root', 'b', [kindOf('b', 'sim_network')])
    expect(address('a', 'sim-networks')).toBe('provider["a"].sim_network.x')
    expect(address('b', 'sim-networks')).toBe('provider["b"].sim_network.x')
    expect(address('a', 'sim-subnets')).toBe('sim_subnet.x')
    kinds.serve('root', 'b', [])
    expect(address('a', 'sim-networks')).toBe('sim_network.x')
  })

  test('of another cluster is nobody else', () => {
    kinds.serve('other', 'c', [kindOf('c', 'sim_network')])
    expect(address('a', 'sim-networks')).toBe('sim_network.x')
  })
})

test('no schema is read of a kind that nobody uses', () => {
  const kinds = new ServedKinds()
  const { schema, ...facts } = kindOf('a', 'sim_network')
  let read = 0
  const kind = {
    ...facts,
    get schema() {
      read++
      return schema
    },
  }
  kinds.serve('root', 'a', [kind])
  expect([[...kinds.kinds('root')].map(({ type }) => type), read]).toEqual([['sim_network'], 0])
  expect([kinds.at('root', 'a.hykube.io', 'sim-networks')?.schema, read]).toEqual([schema, 1])
})

test('a Provider is leaving until it is said to be there again', () => {
  const kinds = new ServedKinds()
  kinds.setDeleting('root', 'a', true)
  expect([kinds.isDeleting('root', 'a'), kinds.isDeleting('other', 'a')]).toEqual([true, false])
  kinds.setDeleting('root', 'a', false)
  expect(kinds.isDeleting('root', 'a')).toBe(false)
})

function kindOf(provider: string, type: string): ResourceKind {
  const resource = `${type.replace('_', '-')}s`
  const block = { attributes: [], blocks: [], description: '', descriptionKind: 'plain', deprecated: false } as const
  const schema = { version: 0, block: { ...block, deprecationMessage: '' } }
  return { provider, type, data: false, group: `${provider}.hykube.io`, resource, kind: type, schema }
}
