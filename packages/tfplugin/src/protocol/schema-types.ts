import { identityType, impliedType, type Schema } from '../schema/index.ts'
import { boolType, numberType, type Type } from '../value/index.ts'
import type { FunctionSchema, IdentitySchemas, ProviderSchema } from './messages.ts'

/** Determines which schema a value in a message follows. */
export type ValueRole =
  | 'provider'
  | 'provider-meta'
  | 'resource'
  | 'data-source'
  | 'ephemeral-resource'
  | 'list-resource'
  | 'action'
  | 'identity'
  | 'bool'
  | 'number'

/** Looks up the types of a provider's values. */
export class SchemaTypes {
  readonly #schema: ProviderSchema
  readonly #identities: IdentitySchemas['identitySchemas']

  constructor(schema: ProviderSchema, identities: IdentitySchemas['identitySchemas'] = new Map()) {
    this.#schema = schema
    this.#identities = identities
  }

  /** Returns the type of a value. Throws when the provider has no schema of that name. */
  typeOf(role: ValueRole, name: string): Type {
    switch (role) {
      case 'bool':
        return boolType
      case 'number':
        return numberType
      case 'identity': {
        const identity = this.#identities.get(name)
        if (identity === undefined) throw new Error(`the provider has no identity for ${name}`)
        return identityType(identity)
      }
      default: {
        const schema = this.#schemaOf(role, name)
        if (schema === undefined) throw new Error(`the provider has no ${role.replace('-', ' ')} ${name}`.trimEnd())
        return impliedType(schema.block)
      }
    }
  }

  function(name: string): FunctionSchema {
    const found = this.#schema.functions.get(name)
    if (found === undefined) throw new Error(`the provider has no function ${name}`)
    return found
  }

  #schemaOf(role: Exclude<ValueRole, 'bool' | 'number' | 'identity'>, name: string): Schema | undefined {
    switch (role) {
      case 'provider':
        return this.#schema.provider ?? nothingToConfigure
      case 'provider-meta':
        return this.#schema.providerMeta
      case 'resource':
        return this.#schema.resources.get(name)
      case 'data-source':
        return this.#schema.dataSources.get(name)
      case 'ephemeral-resource':
        return this.#schema.ephemeralResources.get(name)
      case 'list-resource':
        return this.#schema.listResources.get(name)
      case 'action':
        return this.#schema.actions.get(name)
    }
  }
}

// A provider without settings may omit its schema.
const nothingToConfigure: Schema = {
  version: 0,
  block: {
    attributes: [],
    blocks: [],
    description: '',
    descriptionKind: 'plain',
    deprecated: false,
    deprecationMessage: '',
  },
}
