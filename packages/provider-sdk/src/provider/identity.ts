import type { IdentitySchema } from '@hykube/tfplugin/schema'
import { emptyObject, isObject, type Value, type ValueObject } from '@hykube/tfplugin/value'
import { readContent } from './content-values.ts'
import type { IdentityDefinition, ResourceDefinition } from './resource.ts'
import type { SchemaSpec } from './schema/schema.ts'
import { within } from './schema/type-mismatch.ts'
import { readValue, writeValue } from './schema/value-type.ts'
import type { State } from './views.ts'

/** Converts an identity definition to its protocol schema. */
export function identityToWire({ version = 0, attributes }: IdentityDefinition): IdentitySchema {
  return {
    version,
    attributes: Object.entries(attributes).map(([name, { type, forImport, description = '' }]) => ({
      name,
      type: type.type,
      requiredForImport: forImport === 'required',
      optionalForImport: forImport === 'optional',
      description,
    })),
  }
}

/** Returns the identity of a state, if the type defines one. */
export function identityOf({ schema, identity }: ResourceDefinition, state: Value): { readonly newIdentity?: Value } {
  if (identity === undefined || !isObject(state)) return {}
  const given = identity.of(readContent(schema, state) as State<SchemaSpec>)
  const written = emptyObject()
  for (const [name, { type }] of Object.entries(identity.attributes)) {
    written[name] = within(name, () => writeValue(type, given[name]))
  }
  return { newIdentity: written }
}

/** Converts an identity to the author's representation. */
export function readIdentity({ attributes }: IdentityDefinition, value: ValueObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { type }]) => [name, readValue(type, value[name] ?? null)]),
  )
}
