import { isJsonObject, type JsonObject, type JsonValue, jsonTypeOf } from '../json/index.ts'
import type { KubernetesObject } from '../object/index.ts'
import { badRequest } from '../status/index.ts'
import { objectMetaShape, type TypeShape } from './type-shape.ts'

/**
 * Checks the types of the metadata fields and removes those that are null. Throws 400 with Go's decoder message for a wrong
 * type, because later code relies on the types and does not check them again.
 */
export function withTypedMetadata(object: KubernetesObject): KubernetesObject {
  const { metadata } = object as { metadata?: JsonValue }
  if (metadata === undefined) return object
  if (metadata === null) return { ...object, metadata: {} }
  if (!isJsonObject(metadata)) throw wrongType(metadata, 'Go value of type v1.ObjectMeta', object)
  const nulls = Object.keys(metadata).filter((field) => metadata[field] === null)
  const kept = nulls.length === 0 ? metadata : withoutFields(metadata, nulls)
  for (const [field, value] of Object.entries(kept)) {
    const shape = objectMetaShape.field(field)
    if (shape !== undefined) check(shape, value, field, object)
  }
  return kept === metadata ? object : { ...object, metadata: kept as NonNullable<KubernetesObject['metadata']> }
}

function withoutFields(object: JsonObject, fields: readonly string[]): JsonObject {
  const rest = { ...object }
  for (const field of fields) delete rest[field]
  return rest
}

function check(shape: TypeShape, value: JsonValue, field: string, object: KubernetesObject): void {
  const wrong = (type: string) => wrongType(value, `Go struct field ObjectMeta.${field} of type ${type}`, object)
  switch (shape.kind) {
    case 'scalar':
      if (
        shape.type === 'untyped' || shape.type === undefined ? typeof value !== 'object' : typeof value === shape.type
      )
        return
      throw wrong(shape.type === 'number' ? 'int64' : shape.type === 'untyped' ? 'string' : (shape.type ?? 'string'))
    case 'map':
      if (!isJsonObject(value)) throw wrong('map[string]string')
      for (const item of Object.values(value)) check(shape.element, item, field, object)
      return
    case 'list':
      if (!Array.isArray(value)) throw wrong(`[]${itemTypes[field] ?? 'string'}`)
      for (const item of value) check(shape.element, item, field, object)
      return
    case 'struct':
      if (!isJsonObject(value)) throw wrong(itemTypes[field] ?? 'object')
      return
    case 'any':
      return
    default:
      shape satisfies never
  }
}

/** The Go types of list items other than strings, for messages. */
const itemTypes: Readonly<Record<string, string>> = {
  ownerReferences: 'v1.OwnerReference',
  managedFields: 'v1.ManagedFieldsEntry',
}

function wrongType(value: JsonValue, target: string, { kind, apiVersion }: KubernetesObject) {
  const version = apiVersion?.split('/').at(-1) ?? ''
  const problem = `json: cannot unmarshal ${jsonTypeOf(value)} into ${target}`
  return badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${problem}`)
}
