import { atomicShape, deducedShape, structShape, type TypeShape } from '@hykube/machinery/schema'
import { parse } from 'yaml'

/** Returns the shape of a type in a structured-merge-diff schema. */
export function shapeFromSchema(schema: string, name: string): TypeShape {
  const { types } = parse(schema) as { types: readonly (TypeDef & { readonly name: string })[] }
  const made = new Map<string, TypeShape>()
  const named = (wanted: string): TypeShape => {
    const known = made.get(wanted)
    if (known !== undefined) return known
    const definition = types.find((each) => each.name === wanted)
    if (definition === undefined) throw new Error(`unknown type ${wanted}`)
    // Types may be recursive: a field resolves its shape on access.
    const shape = shapeOf(definition, named)
    made.set(wanted, shape)
    return shape
  }
  return named(name)
}

interface TypeDef {
  readonly namedType?: string
  readonly scalar?: string
  readonly list?: {
    readonly elementType: TypeDef
    readonly elementRelationship?: string
    readonly keys?: readonly string[]
  }
  readonly map?: {
    readonly fields?: readonly { readonly name: string; readonly type: TypeDef; readonly default?: unknown }[]
    readonly elementType?: TypeDef
    readonly elementRelationship?: string
  }
}

type Named = (name: string) => TypeShape

function shapeOf(type: TypeDef, named: Named): TypeShape {
  if (type.namedType !== undefined) return named(type.namedType)
  if (type.scalar === 'untyped' && type.map !== undefined)
    return type.map.elementRelationship === 'atomic' ? atomicShape : deducedShape
  if (type.scalar !== undefined) return { kind: 'scalar', type: scalars[type.scalar] ?? 'untyped' }
  if (type.list !== undefined) return listShape(type.list, named)
  return mapShape(type.map ?? {}, named)
}

const scalars = { string: 'string', numeric: 'number', boolean: 'boolean', untyped: 'untyped' } as Record<
  string,
  'string' | 'number' | 'boolean' | 'untyped'
>

function listShape({ elementType, elementRelationship, keys }: NonNullable<TypeDef['list']>, named: Named): TypeShape {
  const isAssociative = elementRelationship === 'associative'
  const defaults = defaultsOf(elementType)
  return {
    kind: 'list',
    get element() {
      return shapeOf(elementType, named)
    },
    listType: isAssociative ? (keys === undefined ? 'set' : 'map') : 'atomic',
    ...(keys === undefined ? {} : { listMapKeys: keys }),
    ...(Object.keys(defaults).length === 0 ? {} : { listMapKeyDefaults: defaults }),
  }
}

function defaultsOf({ map }: TypeDef): Record<string, unknown> {
  const fields = map?.fields ?? []
  return Object.fromEntries(
    fields.filter((field) => field.default !== undefined).map((each) => [each.name, each.default]),
  )
}

function mapShape({ fields, elementType, elementRelationship }: NonNullable<TypeDef['map']>, named: Named): TypeShape {
  const isAtomic = elementRelationship === 'atomic'
  if (fields === undefined || fields.length === 0) {
    if (elementType === undefined) return structShape({}, isAtomic ? { structType: 'atomic' } : {})
    return {
      kind: 'map',
      get element() {
        return shapeOf(elementType, named)
      },
      ...(isAtomic ? { mapType: 'atomic' } : {}),
    }
  }
  const table = new Map(fields.map(({ name, type }) => [name, type]))
  const made = new Map<string, TypeShape>()
  return {
    kind: 'struct',
    field: (name) => {
      const type = table.get(name)
      if (type === undefined) return undefined
      const shape = made.get(name) ?? shapeOf(type, named)
      made.set(name, shape)
      return shape
    },
    ...(elementType === undefined ? {} : { unknownFields: shapeOf(elementType, named) }),
    ...(isAtomic ? { structType: 'atomic' } : {}),
  }
}
