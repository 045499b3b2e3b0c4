import {
  atomicShape,
  deducedShape,
  type FieldTraits,
  type ListShape,
  type TypeShape,
  untypedScalarShape,
} from '@hykube/machinery/schema'
import { type FieldFacts, type TypeFacts, type TypeRef, typeFacts } from './type-table.ts'

/**
 * Returns how the fields of a built-in type nest and merge. The same type always returns the same object, which caches
 * use as a key.
 */
export function typeShape(typeName: string): TypeShape {
  const known = shapes.get(typeName)
  if (known !== undefined) return known
  const shape = leafShapes[typeName.slice(typeName.lastIndexOf('.') + 1)] ?? structOf(typeName)
  shapes.set(typeName, shape)
  return shape
}

const shapes = new Map<string, TypeShape>()

const leafShapes: Readonly<Record<string, TypeShape>> = {
  Time: untypedScalarShape,
  MicroTime: untypedScalarShape,
  Duration: untypedScalarShape,
  Quantity: untypedScalarShape,
  IntOrString: untypedScalarShape,
  // Any JSON value is allowed; Kubernetes publishes these types without fields.
  JSON: deducedShape,
  JSONSchemaPropsOrArray: deducedShape,
  JSONSchemaPropsOrBool: deducedShape,
  JSONSchemaPropsOrStringArray: deducedShape,
  RawExtension: deducedShape,
  FieldsV1: atomicShape,
}

function structOf(typeName: string): TypeShape {
  const facts = typeFacts(typeName)
  if (facts === undefined) throw new Error(`no table for type ${typeName}: run \`npm run kinds\``)
  if (facts.listOf !== undefined) return { kind: 'list', element: elementShape(facts.listOf), listType: 'atomic' }
  const known = new Map<string, TypeShape | undefined>()
  let fields: Map<string, FieldFacts> | undefined
  return {
    kind: 'struct',
    ...(facts.atomic && { structType: 'atomic' as const }),
    field: (name) => {
      fields ??= flatFields(facts)
      if (!known.has(name)) {
        const field = fields.get(name)
        known.set(name, field === undefined ? undefined : fieldShape(field))
      }
      return known.get(name)
    },
  }
}

function flatFields(facts: TypeFacts, into = new Map<string, FieldFacts>()): Map<string, FieldFacts> {
  for (const field of facts.fields) {
    if (field.inline && field.type.kind === 'type') flatFields(typeFacts(field.type.name)!, into)
    else into.set(field.name, field)
  }
  return into
}

function fieldShape(field: FieldFacts): TypeShape {
  const traits = patchTraits(field)
  const element = elementShape(field.type)
  if (field.collection === 'list') return { kind: 'list', element, ...listTraits(field), ...traits }
  if (field.collection === 'map') {
    return { kind: 'map', element, ...(field.mapType !== undefined && { mapType: field.mapType }), ...traits }
  }
  if (element.kind === 'struct' && field.mapType !== undefined)
    return { ...element, structType: field.mapType, ...traits }
  return Object.keys(traits).length === 0 ? element : { ...element, ...traits }
}

function patchTraits(field: FieldFacts): FieldTraits {
  return {
    ...(field.patchStrategies.length > 0 && { patchStrategies: field.patchStrategies }),
    ...(field.patchMergeKey !== undefined && { patchMergeKey: field.patchMergeKey }),
  }
}

function listTraits(field: FieldFacts): Omit<ListShape, 'kind' | 'element'> {
  if (field.listType === undefined) return {}
  if (field.listType !== 'map') return { listType: field.listType }
  const defaults = keyDefaults(field)
  return {
    listType: 'map',
    listMapKeys: field.listMapKeys,
    ...(Object.keys(defaults).length > 0 && { listMapKeyDefaults: defaults }),
  }
}

// A merge key that Kubernetes encodes even when zero has the zero value as its default, as in OpenAPI.
function keyDefaults(field: FieldFacts): Record<string, unknown> {
  const facts = field.type.kind === 'type' ? typeFacts(field.type.name) : undefined
  if (facts === undefined) return {}
  const fields = flatFields(facts)
  const defaults = field.listMapKeys.map((key) => [key, defaultOf(fields.get(key))] as const)
  return Object.fromEntries(defaults.filter(([, value]) => value !== undefined))
}

function defaultOf(field: FieldFacts | undefined): unknown {
  if (field?.default !== undefined) return field.default
  if (field === undefined || field.pointer || !field.always || field.type.kind !== 'scalar') return undefined
  return field.type.scalar === 'string' ? '' : field.type.scalar === 'bool' ? false : 0
}

function elementShape(type: TypeRef): TypeShape {
  if (type.kind === 'type') return typeShape(type.name)
  if (type.scalar === 'string' || type.scalar === 'bytes') return stringShape
  return type.scalar === 'bool' ? booleanShape : numberShape
}

const stringShape: TypeShape = { kind: 'scalar', type: 'string' }
const booleanShape: TypeShape = { kind: 'scalar', type: 'boolean' }
const numberShape: TypeShape = { kind: 'scalar', type: 'number' }
