import type { FunctionSchema, ProviderSchema } from '@hykube/tfplugin/protocol'
import type { IdentitySchema, Schema } from '@hykube/tfplugin/schema'
import type { ProviderDefinition } from '../define.ts'
import { identityToWire } from '../identity.ts'
import type { FunctionDefinition } from '../resource.ts'
import { type SchemaSpec, schemaToWire } from './schema.ts'

/** Converts a provider definition to the response of GetProviderSchema. */
export function providerSchema(definition: ProviderDefinition): ProviderSchema {
  const { resources = {}, dataSources = {}, ephemeralResources = {}, functions = {} } = definition
  return {
    provider: schemaToWire(definition.schema),
    resources: schemasOf(resources),
    dataSources: schemasOf(dataSources),
    ephemeralResources: schemasOf(ephemeralResources),
    listResources: new Map(
      Object.entries(resources).flatMap(([name, { list }]) =>
        list === undefined ? [] : [[name, schemaToWire(list.schema)] as const],
      ),
    ),
    actions: new Map(),
    functions: new Map(Object.entries(functions).map(([name, of]) => [name, functionToWire(of)])),
    // planDestroy: deletions are planned too, which sets the token of idempotent types.
    serverCapabilities: {
      planDestroy: true,
      getProviderSchemaOptional: true,
      moveResourceState: false,
      generateResourceConfig: false,
    },
    diagnostics: [],
  }
}

/** Returns the identity schemas of the types that define one. */
export function identitySchemas({ resources = {} }: ProviderDefinition): ReadonlyMap<string, IdentitySchema> {
  return new Map(
    Object.entries(resources).flatMap(([name, { identity }]) =>
      identity === undefined ? [] : [[name, identityToWire(identity)] as const],
    ),
  )
}

function schemasOf(definitions: Readonly<Record<string, { readonly schema: SchemaSpec }>>): Map<string, Schema> {
  return new Map(Object.entries(definitions).map(([name, { schema }]) => [name, schemaToWire(schema)]))
}

function functionToWire({ parameters, variadic, returns, ...words }: FunctionDefinition): FunctionSchema {
  const { summary = '', description = '', deprecated = '' } = words
  return {
    parameters: Object.entries(parameters).map(([name, { type, nullable = false, description: text = '' }]) => ({
      ...{ name, type: type.type, allowNull: nullable, allowUnknown: false },
      ...{ description: text, descriptionKind: 'markdown' as const },
    })),
    ...(variadic !== undefined && {
      variadicParameter: {
        ...{ name: variadic.name, type: variadic.type.type, allowNull: false, allowUnknown: false },
        ...{ description: variadic.description ?? '', descriptionKind: 'markdown' as const },
      },
    }),
    returnType: returns.type,
    summary,
    description,
    descriptionKind: 'markdown',
    deprecationMessage: deprecated,
  }
}
