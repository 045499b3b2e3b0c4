import { additionalSchema, type JsonSchema } from './json-schema.ts'
import { deducedShape, objectMetaShape, type StructShape, type TypeShape, untypedScalarShape } from './type-shape.ts'

/** Derives the shape of a custom resource from its schema. Returns the same object for the same schema. */
export function schemaToTypeShape(schema: JsonSchema): TypeShape {
  const known = topShapes.get(schema)
  if (known !== undefined) return known
  const shape = objectShape(schema, true)
  topShapes.set(schema, shape)
  return shape
}

const topShapes = new WeakMap<JsonSchema, TypeShape>()
const shapes = new WeakMap<JsonSchema, TypeShape>()

function shapeOf(schema: JsonSchema): TypeShape {
  const known = shapes.get(schema)
  if (known !== undefined) return known
  const shape = makeShape(schema)
  shapes.set(schema, shape)
  return shape
}

function makeShape(schema: JsonSchema): TypeShape {
  if (schema['x-kubernetes-int-or-string'] === true) return untypedScalarShape
  if (schema['x-kubernetes-embedded-resource'] === true) return objectShape(schema, true)
  switch (schema.type) {
    case 'object':
      return objectShape(schema, false)
    case 'array':
      return listShape(schema)
    case 'string':
    case 'boolean':
      return { kind: 'scalar', type: schema.type }
    case 'integer':
    case 'number':
      return { kind: 'scalar', type: 'number' }
    default:
      return deducedShape
  }
}

// Defaults of key fields are part of the shape, because an item may omit a key that has a default.
function listShape(schema: JsonSchema): TypeShape {
  const element = schema.items === undefined ? deducedShape : shapeOf(schema.items)
  const listType = schema['x-kubernetes-list-type'] ?? 'atomic'
  if (listType !== 'map') return { kind: 'list', element, listType }
  const listMapKeys = schema['x-kubernetes-list-map-keys'] ?? []
  const defaults = listMapKeys.flatMap((key) => {
    const value = schema.items?.properties?.[key]?.default
    return value === undefined ? [] : [[key, value] as const]
  })
  return {
    kind: 'list',
    element,
    listType,
    listMapKeys,
    ...(defaults.length > 0 && { listMapKeyDefaults: Object.fromEntries(defaults) }),
  }
}

const textShape: TypeShape = { kind: 'scalar', type: 'string' }

// A resource has apiVersion, kind and metadata even when its schema does not declare them.
function objectShape(schema: JsonSchema, isResource: boolean): TypeShape {
  const isAtomic = schema['x-kubernetes-map-type'] === 'atomic'
  const additional = additionalSchema(schema)
  if (additional !== undefined && schema.properties === undefined && !isResource) {
    return { kind: 'map', element: shapeOf(additional), ...(isAtomic && { mapType: 'atomic' as const }) }
  }
  const keepsAll = schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true
  const unknownFields = additional === undefined ? (keepsAll ? deducedShape : undefined) : shapeOf(additional)
  const { properties = {} } = schema
  const shape: StructShape = {
    kind: 'struct',
    ...(isAtomic && { structType: 'atomic' as const }),
    ...(unknownFields !== undefined && { unknownFields }),
    field: (name) => {
      if (isResource && name === 'metadata') return objectMetaShape
      if (isResource && (name === 'apiVersion' || name === 'kind')) return textShape
      return Object.hasOwn(properties, name) ? shapeOf(properties[name]!) : undefined
    },
  }
  return shape
}
