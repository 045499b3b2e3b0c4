import { messageCodec } from '@hykube/machinery/protobuf'
import type { Block, Schema } from '../schema/index.ts'
import { LazyMap } from './lazy-map.ts'
import type { IdentitySchemas, ProviderSchema } from './messages.ts'
import { converterOf, type Fields, rpcPath } from './rpc.ts'
import { unaryRpcs } from './rpcs.ts'
import { type ProtocolVersion, schemaFromWire, schemaTable } from './schema-wire.ts'
import type { WireKind } from './wire-kind.ts'

/**
 * Returns the method paths of the schema calls, for callers that need the raw response bytes. The requests are empty.
 */
export function schemaPaths(version: ProtocolVersion): { readonly schema: string; readonly identities: string } {
  return {
    schema: rpcPath(unaryRpcs.getProviderSchema, version),
    identities: rpcPath(unaryRpcs.getResourceIdentitySchemas, version),
  }
}

/**
 * Decodes the response of GetProviderSchema, and each type's schema on access: a large provider has thousands, and most are
 * never used. Only for bytes that were validated once (see readEverySchema), because an invalid schema throws on
 * access.
 */
export function lazyProviderSchema(bytes: Uint8Array, version: ProtocolVersion): ProviderSchema {
  const limits = { maxEntries: 2 * mostTypes }
  return converterOf(lazyFields[version], version).decode(bytes, noScope, limits) as unknown as ProviderSchema
}

/**
 * Validates the bytes by decoding every schema once without keeping it, one per step. Throws at the first invalid one, and
 * where the limits below are exceeded: they bound what one step costs and what the whole schema takes in memory.
 */
export function* readEverySchema(bytes: Uint8Array, version: ProtocolVersion): Generator<void> {
  const schema = lazyProviderSchema(bytes, version)
  const types = lazyNames.reduce((sum, name) => sum + schema[name].size, 0)
  if (types > mostTypes) throw new Error(`it has ${types} types, and ${mostTypes} are allowed`)
  let attributes = 0
  for (const name of lazyNames) {
    const all = schema[name] as unknown as LazyMap<Uint8Array, object>
    for (const type of all.keys()) {
      attributes += attributesIn((all.make(type) as Schema).block)
      if (attributes > mostAttributes) throw new Error(`its types have more than ${mostAttributes} attributes together`)
      yield
    }
  }
}

/** Encodes a provider's schema as a GetProviderSchema response. */
export function providerSchemaToBytes(schema: ProviderSchema, version: ProtocolVersion): Uint8Array {
  const message = schema as unknown as Readonly<Record<string, unknown>>
  return converterOf(unaryRpcs.getProviderSchema.response, version).encode(message, noScope)
}

/** Decodes the response of GetResourceIdentitySchemas. */
export function identitySchemasFromBytes(bytes: Uint8Array, version: ProtocolVersion): IdentitySchemas {
  return converterOf(unaryRpcs.getResourceIdentitySchemas.response, version).decode(
    bytes,
    noScope,
  ) as unknown as IdentitySchemas
}

// hashicorp/aws, the largest that is known, has about 2,100 types.
const mostTypes = 10_000
const mostAttributes = 1_000_000
// Of one type; it is read in one go.
const mostMessagesInType = 100_000

function attributesIn({ attributes, blocks }: Block): number {
  const own = attributes.reduce(
    (sum, { shape }) => sum + 1 + (shape.kind === 'nested' ? nestedIn(shape.attributes) : 0),
    0,
  )
  return blocks.reduce((sum, { block }) => sum + attributesIn(block), own)
}

function nestedIn(attributes: Block['attributes']): number {
  return attributesIn({ attributes, blocks: [] } as unknown as Block)
}

const noScope = {
  subject: '',
  types: (): never => {
    throw new Error('a schema holds no values')
  },
}

const lazyNames = ['resources', 'dataSources', 'ephemeralResources', 'listResources'] as const
const lazyFields: Readonly<Record<ProtocolVersion, Fields>> = { 5: fieldsFor(5), 6: fieldsFor(6) }

function fieldsFor(version: ProtocolVersion): Fields {
  const { response } = unaryRpcs.getProviderSchema
  const lazily = (name: string) => [name, [response[name]![0], lazySchemas(version)]] as const
  return { ...response, ...Object.fromEntries(lazyNames.map(lazily)) }
}

// A nested message is encoded as length-delimited bytes, so its decoding can be postponed.
function lazySchemas(version: ProtocolVersion): WireKind {
  const codec = messageCodec(schemaTable(version))
  const limits = { maxMessages: mostMessagesInType }
  const read = (bytes: Uint8Array) => schemaFromWire(codec.decode(bytes, limits) as never)
  return {
    type: () => 'bytes',
    shape: { mapKey: 'string', presence: 'implicit' },
    toWire: (given: unknown) => given,
    fromWire: (wire: Readonly<Record<string, Uint8Array>>) => new LazyMap(new Map(Object.entries(wire)), read),
  }
}
