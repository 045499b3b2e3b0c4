import { isJsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { invalidValue } from '@hykube/machinery/object'
import {
  additionalSchema,
  type JsonSchema,
  pruneObject,
  schemaValidator,
  setSchemaDefaults,
} from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'

/** Checks that every default is valid for its schema and contains nothing that pruning would remove. */
export function defaultProblems(schema: JsonSchema, path: string): StatusCause[] {
  const causes = schema.default === undefined ? [] : ownProblems(schema, schema.default, path)
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    causes.push(...defaultProblems(property, `${path}.properties[${name}]`))
  }
  const additional = additionalSchema(schema)
  if (additional !== undefined) causes.push(...defaultProblems(additional, `${path}.additionalProperties`))
  if (schema.items !== undefined) causes.push(...defaultProblems(schema.items, `${path}.items`))
  return causes
}

function ownProblems(schema: JsonSchema, value: JsonValue, path: string): StatusCause[] {
  const field = `${path}.default`
  const pruned = prunedDefault(schema, value)
  if (!jsonEquals(pruned, value)) return [invalidValue(field, value, 'must not have unknown fields')]
  const filled = setSchemaDefaults(schema, value)
  return schemaValidator(schema)
    .validate(filled)
    .map((cause) => atDefault(cause, field))
}

// The value is wrapped in a field, because pruning starts at an object.
function prunedDefault(schema: JsonSchema, value: JsonValue): JsonValue {
  const holder: JsonSchema = { type: 'object', properties: { value: schema } }
  const { value: pruned } = pruneObject(holder, { value })
  return isJsonObject(pruned) ? pruned.value! : value
}

function atDefault({ reason, message = '', field: inside = '' }: StatusCause, field: string): StatusCause {
  const place = inside === '' ? field : `${field}${inside.startsWith('[') ? '' : '.'}${inside}`
  return {
    ...(reason !== undefined && { reason }),
    message: message.replace(': must be of type', `: ${place} in body must be of type`),
    field: place,
  }
}
