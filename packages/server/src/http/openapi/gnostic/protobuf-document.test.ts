import { type Message, type MessageTable, messageCodec } from '@hykube/machinery/protobuf'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entries, fields, value } from '../document.ts'
import { openApiV2 } from '../openapi-v2.ts'
import { openApiV3 } from '../openapi-v3.ts'
import { builtIn } from '../testing/foo-type.ts'
import { encodeField, type GnosticMessage } from './message.ts'
import { documentV2 } from './openapi-v2-messages.ts'
import { documentV3 } from './openapi-v3-messages.ts'
import { protobufDocument } from './protobuf-document.ts'

// Field tables for an independent decoder, so that the encoder is not tested with its own tables.
const any = table('Any', { yaml: [2, 'string'] })
const namedAny = table('NamedAny', { name: [1, 'string'], value: [2, () => any] })

const schemaV2: MessageTable = table('Schema', {
  ref: [1, 'string'],
  format: [2, 'string'],
  minimum: [9, 'double'],
  maxLength: [11, 'int64'],
  required: [19, 'string', true],
  additional: [21, () => table('AdditionalPropertiesItem', { schema: [1, () => schemaV2], boolean: [2, 'bool'] })],
  type: [22, () => table('TypeItem', { value: [1, 'string', true] })],
  items: [23, () => table('ItemsItem', { schema: [1, () => schemaV2, true] })],
  properties: [25, () => namedV2],
  extensions: [31, () => namedAny, true],
})
const namedV2: MessageTable = table('Properties', {
  entries: [1, () => table('NamedSchema', { name: [1, 'string'], value: [2, () => schemaV2] }), true],
})

const query = table('QueryParameterSubSchema', { in: [2, 'string'], name: [4, 'string'], type: [6, 'string'] })
const parameter = table('Parameter', { other: [2, () => table('NonBodyParameter', { query: [3, () => query] })] })
const operationV2 = table('Operation', {
  id: [5, 'string'],
  consumes: [7, 'string', true],
  parameters: [
    8,
    () =>
      table('ParametersItem', {
        parameter: [1, () => parameter],
        reference: [2, () => table('JsonReference', { ref: [1, 'string'] })],
      }),
    true,
  ],
  extensions: [13, () => namedAny, true],
})
const pathItemV2 = table('PathItem', { patch: [8, () => operationV2] })
const readV2 = table('Document', {
  swagger: [1, 'string'],
  paths: [
    8,
    () =>
      table('Paths', {
        path: [2, () => table('NamedPathItem', { name: [1, 'string'], value: [2, () => pathItemV2] }), true],
      }),
  ],
  definitions: [9, () => namedV2],
})

describe('protobuf documents', () => {
  test('version 2 has the facts that kubectl looks up for a patch', async () => {
    const read = decode(readV2, await protobufDocument(openApiV2([[builtIn('Deployment')]], 'v1'), documentV2))
    expect(read.swagger).toBe('2.0')
    const item = named(read.paths, 'path', '/apis/apps/v1/namespaces/{namespace}/deployments/{name}')
    const patch = item.patch as Message & { parameters: Message[]; extensions: Message[] }
    expect(patch.id).toBe('patchAppsV1NamespacedDeployment')
    expect(patch.consumes).toContain('application/strategic-merge-patch+json')
    expect(patch.parameters).toEqual(
      expect.arrayContaining([
        { parameter: { other: { query: { in: 'query', name: 'dryRun', type: 'string' } } } },
        { parameter: { other: { query: { in: 'query', name: 'fieldValidation', type: 'string' } } } },
        { reference: { ref: '#/parameters/force' } },
      ]),
    )
    expect(extension(patch, 'x-kubernetes-group-version-kind')).toEqual({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
    })
  })

  test('version 2 has complete schemas', async () => {
    const read = decode(readV2, await protobufDocument(openApiV2([[builtIn('Deployment')]], 'v1'), documentV2))
    const spec = named(read.definitions, 'entries', 'io.k8s.api.core.v1.PodSpec')
    expect(spec.required).toEqual(['containers'])
    const containers = named(spec.properties, 'entries', 'containers')
    expect(containers).toMatchObject({
      type: { value: ['array'] },
      items: { schema: [{ ref: '#/definitions/io.k8s.api.core.v1.Container' }] },
    })
    expect(extension(containers, 'x-kubernetes-patch-merge-key')).toBe('name')
    const selector = named(spec.properties, 'entries', 'nodeSelector')
    expect(selector).toMatchObject({ additional: { schema: { type: { value: ['string'] } } } })
  })

  test('version 3 distinguishes references from schemas, and keeps scalar defaults', async () => {
    const reference = table('Reference', { ref: [1, 'string'] })
    const schema: MessageTable = table('Schema', {
      type: [25, 'string'],
      allOf: [26, () => either, true],
      properties: [31, () => properties],
      default: [33, () => table('DefaultType', { boolean: [2, 'bool'], string: [3, 'string'] })],
    })
    const either: MessageTable = table('SchemaOrReference', {
      schema: [1, () => schema],
      reference: [2, () => reference],
    })
    const entry = table('NamedSchemaOrReference', { name: [1, 'string'], value: [2, () => either] })
    const properties: MessageTable = table('Properties', { entries: [1, () => entry, true] })
    const components = table('Components', { schemas: [1, () => properties] })
    const document = table('Document', { openapi: [1, 'string'], components: [5, () => components] })
    const bytes = await protobufDocument(openApiV3([builtIn('Deployment')], 'v1'), documentV3)
    const read = decode(document, bytes) as { openapi: string; components: Message }
    expect(read.openapi).toBe('3.0.0')
    const spec = named(read.components.schemas, 'entries', 'io.k8s.api.apps.v1.DeploymentSpec').schema as Message
    const ref = { ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector' }
    expect(named(spec.properties, 'entries', 'selector')).toEqual({ reference: ref })
    expect(named(spec.properties, 'entries', 'strategy')).toMatchObject({
      schema: { allOf: [{ reference: { ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy' } }] },
    })
    const port = named(read.components.schemas, 'entries', 'io.k8s.api.core.v1.ContainerPort').schema as Message
    expect(named(port.properties, 'entries', 'protocol')).toMatchObject({ schema: { default: { string: 'TCP' } } })
  })

  test('a part with many entries is encoded like one message', async () => {
    const inner: GnosticMessage = { fields: {}, named: { number: 3, type: 'string' } }
    const outer: GnosticMessage = { fields: { a: { number: 1, type: () => inner }, b: { number: 2, type: 'bool' } } }
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.string()), async (map) => {
        const inParts = await protobufDocument(fields({ a: entries(Object.entries(map)), b: value(true) }), outer)
        const atOnce = Buffer.concat([encodeField(outer.fields.a!, map), encodeField(outer.fields.b!, true)])
        expect(inParts.equals(atOnce)).toBe(true)
      }),
    )
  })

  test('properties without a field are left out', () => {
    const field = { number: 1, type: () => ({ fields: {} }) }
    expect([...encodeField(field, { constructor: 'x', toString: 'y', 'x-z': 1 })]).toEqual([0x0a, 0])
  })
})

type Field = readonly [number: number, type: MessageTable['fields'][number]['type'], repeated?: boolean]

function table(name: string, all: Readonly<Record<string, Field>>): MessageTable {
  return {
    name,
    fields: Object.entries(all).map(([property, [number, type, repeated = false]]) => ({
      number,
      name: property,
      type,
      repeated,
    })),
  }
}

function decode(message: MessageTable, bytes: Uint8Array): Message {
  return messageCodec(message).decode(bytes)
}

function named(holder: unknown, field: string, name: string): Message {
  const found = (holder as Record<string, { name: string; value: Message }[]>)[field]?.find(
    (each) => each.name === name,
  )
  expect(found, name).toBeDefined()
  return found!.value
}

function extension(holder: Message, name: string): unknown {
  return JSON.parse((named(holder, 'extensions', name) as { yaml: string }).yaml)
}
