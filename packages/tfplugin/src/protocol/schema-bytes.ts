import { messageCodec } from '@hykube/machinery/protobuf'
import { LazyMap } from './lazy-map.ts'
import type { IdentitySchemas, ProviderSchema } from './messages.ts'
import { converterOf, type Fields, type RpcDefinition, rpcPath } from './rpc.ts'
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

/** Decodes the response of GetProviderSchema. */
export function providerSchemaFromBytes(bytes: Uint8Array, version: ProtocolVersion): ProviderSchema {
  return decode(unaryRpcs.getProviderSchema, bytes, version) as unknown as ProviderSchema
}

/**
 * Like providerSchemaFromBytes, but decodes each type's schema on access: a large provider has thousands, and most are
 * never used. Only for bytes that were validated once (see readEverySchema), because an invalid schema throws on
 * access.
 */
export function lazyProviderSchema(bytes: Uint8Array, version: ProtocolVersion): ProviderSchema {
  return converterOf(lazyFields[version], version).decode(bytes, noScope) as unknown as ProviderSchema
}

/**
 * Validates the bytes by decoding every schema once without keeping it, one per step. Throws at the first invalid one.
 */
export function* readEverySchema(bytes: Uint8Array, version: ProtocolVersion): Generator<void> {
  const schema = lazyProviderSchema(bytes, version)
  for (const name of lazyNames) {
    const types = schema[name] as LazyMap<Uint8Array, object>
    for (const type of types.keys()) {
      types.make(type)
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
  return decode(unaryRpcs.getResourceIdentitySchemas, bytes, version) as unknown as IdentitySchemas
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
  const read = (bytes: Uint8Array) => schemaFromWire(messageCodec(schemaTable(version)).decode(bytes) as never)
  return {
    type: () => 'bytes',
    shape: { mapKey: 'string', presence: 'implicit' },
    toWire: (given: unknown) => given,
    fromWire: (wire: Readonly<Record<string, Uint8Array>>) => new LazyMap(new Map(Object.entries(wire)), read),
  }
}

function decode(rpc: RpcDefinition, bytes: Uint8Array, version: ProtocolVersion): Record<string, unknown> {
  return converterOf(rpc.response, version).decode(bytes, noScope)
}
