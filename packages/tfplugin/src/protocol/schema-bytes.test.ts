import { describe, expect, test } from 'vitest'
import { type Schema, stringType } from '../value/index.ts'
import type { ProviderSchema } from './messages.ts'
import { lazyProviderSchema, providerSchemaFromBytes, providerSchemaToBytes } from './schema-bytes.ts'

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

  test('are decoded to the same schema', () => {
    expect(providerSchemaFromBytes(bytes, version)).toEqual(schema)
  })

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
