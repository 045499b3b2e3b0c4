import { isJsonObject, type JsonObject, type JsonValue } from '../json/index.ts'
import { badRequest } from '../status/index.ts'
import type { KubernetesObject } from './object-meta.ts'
import { objectMetaShape, type TypeShape } from './type-shape.ts'

/**
 * The object with metadata of the right types: fields that are null go, anything else of a wrong type is 400, because
 * nothing after this looks at types there.
 */
export function withTypedMetadata(object: KubernetesObject): KubernetesObject {
  const { metadata } = object as { metadata?: JsonValue }
  if (metadata === undefined) return object
  if (metadata === null) return { ...object, metadata: {} }
  if (!isJsonObject(metadata)) throw wrongType('metadata', 'object', object)
  const nulls = Object.keys(metadata).filter((field) => metadata[field] === null)
  const kept = nulls.length === 0 ? metadata : withoutFields(metadata, nulls)
  for (const [field, value] of Object.entries(kept)) {
    const shape = objectMetaShape.field(field)
    if (shape !== undefined) check(shape, value, `metadata.${field}`, object)
  }
  return kept === metadata ? object : { ...object, metadata: kept as NonNullable<KubernetesObject['metadata']> }
}

function withoutFields(object: JsonObject, fields: readonly string[]): JsonObject {
  const rest = { ...object }
  for (const field of fields) delete rest[field]
  return rest
}

function check(shape: TypeShape, value: JsonValue, path: string, object: KubernetesObject): void {
  switch (shape.kind) {
    case 'scalar':
      if (
        shape.type === 'untyped' || shape.type === undefined ? typeof value !== 'object' : typeof value === shape.type
      )
        return
      throw wrongType(path, shape.type === 'number' ? 'int64' : (shape.type ?? 'string'), object)
    case 'map':
      if (!isJsonObject(value)) throw wrongType(path, 'map[string]string', object)
      for (const [key, item] of Object.entries(value)) check(shape.element, item, `${path}.${key}`, object)
      return
    case 'list':
      if (!Array.isArray(value)) throw wrongType(path, 'array', object)
      for (const item of value) check(shape.element, item, path, object)
      return
    case 'struct':
      if (!isJsonObject(value)) throw wrongType(path, 'object', object)
      return
    case 'any':
      return
    default:
      shape satisfies never
  }
}

function wrongType(path: string, wanted: string, { kind, apiVersion }: KubernetesObject) {
  const version = apiVersion?.split('/').at(-1) ?? ''
  return badRequest(
    `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: json: cannot unmarshal into Go struct field ObjectMeta.${path} of type ${wanted}`,
  )
}
