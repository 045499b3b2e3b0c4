import { describe, expect, test } from 'vitest'
import type { Schema } from '../schema/index.ts'
import { stringType } from '../value/index.ts'
import type { ProviderSchema } from './messages.ts'
import { lazyProviderSchema, providerSchemaToBytes, readEverySchema } from './schema-bytes.ts'

const documented = { description: '', descriptionKind: 'plain', deprecated: false, deprecationMessage: '' } as const

function schemaOf(name: string): Schema {
  const rules = { required: false, optional: true, computed: false, sensitive: false, writeOnly: false }
  const attribute = { name, shape: { kind: 'plain', type: stringType }, ...rules, ...documented } as const
  return { version: 1, block: { attributes: [attribute], blocks: [], ...documented } }
}

const schema: ProviderSchema = {
  provider: schemaOf('region'),
  resources: new Map([
    ['test_a', schemaOf('a')],
    ['test_b', schemaOf('b')],
  ]),
  dataSources: new Map([['test_a', schemaOf('d')]]),
  ephemeralResources: new Map(),
  listResources: new Map(),
  actions: new Map([['test_do', schemaOf('act')]]),
  functions: new Map(),
  serverCapabilities: {
    planDestroy: true,
    getProviderSchemaOptional: false,
    moveResourceState: false,
    generateResourceConfig: false,
  },
  diagnostics: [],
}

describe.each([5, 6] as const)('encoded schemas of protocol %i', (version) => {
  const bytes = providerSchemaToBytes(schema, version)

  test('are decoded lazily to the same schema', () => {
    const lazy = lazyProviderSchema(bytes, version)
    expect(lazy.resources.get('test_b')).toEqual(schemaOf('b'))
    expect(lazy.resources.get('test_b')).toBe(lazy.resources.get('test_b'))
    expect(lazy.resources.get('test_c')).toBeUndefined()
    expect(lazy.resources.has('test_a')).toBe(true)
    expect(lazy.resources.size).toBe(2)
    expect([...lazy.resources.values()]).toEqual([...schema.resources.values()])
    const { resources, dataSources, ephemeralResources, listResources, ...rest } = lazy
    const maps = { resources, dataSources, ephemeralResources, listResources }
    const read = Object.entries(maps).map(([name, map]) => [name, new Map(map)])
    expect({ ...rest, ...Object.fromEntries(read) }).toEqual(schema)
    const seen: string[] = []
    lazy.dataSources.forEach((_, name) => void seen.push(name))
    expect(seen).toEqual(['test_a'])
  })
})

describe('a schema that is larger than any provider needs', () => {
  const small = schemaOf('a')
  const attributes = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...small.block.attributes[0]!, name: `a${at}` }))
  const wide = (count: number): Schema => ({ version: 1, block: { ...small.block, attributes: attributes(count) } })
  const types = (count: number, of: Schema) =>
    new Map(Array.from({ length: count }, (_, at) => [`test_${at}`, of] as const))

  test.each<[string, ProviderSchema, RegExp]>([
    ['60,000 types', { ...schema, resources: types(60_000, small) }, /entries|types/],
    ['10,001 types', { ...schema, resources: types(10_001, small) }, /it has 10002 types, and 10000 are allowed/],
    ['a type of 150,000 attributes', { ...schema, resources: types(1, wide(150_000)) }, /messages/],
    ['1,089,000 attributes', { ...schema, resources: types(11, wide(99_000)) }, /more than 1000000 attributes/],
  ])('%s: is refused, and no step takes long', { timeout: 60_000 }, (_, large, words) => {
    const bytes = providerSchemaToBytes(large, 6)
    let longest = 0
    const read = () => {
      const steps = readEverySchema(bytes, 6)
      for (let isDone = false; !isDone; ) {
        const begun = performance.now()
        try {
          isDone = steps.next().done === true
        } finally {
          longest = Math.max(longest, performance.now() - begun)
        }
      }
    }
    expect(read).toThrow(words)
    // A quiet machine needs less than a tenth.
    expect(longest).toBeLessThan(1500)
  })

  test('the size of the largest known provider is read', () => {
    const bytes = providerSchemaToBytes(
      { ...schema, resources: types(1506, wide(60)), dataSources: types(607, wide(40)) },
      6,
    )
    let steps = 0
    for (const _ of readEverySchema(bytes, 6)) steps++
    expect(steps).toBe(2113)
  })
})
