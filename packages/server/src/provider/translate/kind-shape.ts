import {
  atomicShape,
  type ListShape,
  objectMetaShape,
  type StructShape,
  structShape,
  type TypeShape,
} from '@hykube/machinery/schema'
import type { KindMode } from './kind-names.ts'
import type { ObjectStructure, Structure } from './structure.ts'

/**
 * The merge rules of server-side apply for a kind. Maps and single objects merge by field, sets of scalars by item; lists,
 * dynamic values and scalars are atomic, and so is an expression in their place. Every position accepts any JSON type, because
 * validation runs after the merge.
 */
export function kindShape(mode: KindMode, structure: () => ObjectStructure): StructShape {
  let spec: StructShape | undefined
  const fields: Readonly<Record<string, () => TypeShape>> = {
    apiVersion: () => textShape,
    kind: () => textShape,
    metadata: () => objectMetaShape,
    spec: () => (spec ??= specShape(mode, structure())),
    status: () => statusShape,
  }
  const field = (name: string) => (Object.hasOwn(fields, name) ? fields[name]!() : undefined)
  return { kind: 'struct', field, unknownFields: atomicShape }
}

const textShape: TypeShape = { kind: 'scalar', type: 'string' }
const open = { unknownFields: atomicShape, orLeaf: true } as const
const textSet: ListShape = { kind: 'list', listType: 'set', element: atomicShape, orLeaf: true }
const atomicList: ListShape = { kind: 'list', listType: 'atomic', element: atomicShape, orLeaf: true }

const lifecycleShape = structShape(
  {
    create_before_destroy: atomicShape,
    prevent_destroy: atomicShape,
    ignore_changes: textSet,
    replace_triggered_by: textSet,
    destroy: atomicShape,
    sync: atomicShape,
  },
  open,
)

const dataShapes: Readonly<Record<string, TypeShape>> = {
  count: atomicShape,
  for_each: atomicShape,
  provider: atomicShape,
  depends_on: textSet,
}
const managedShapes: Readonly<Record<string, TypeShape>> = { ...dataShapes, lifecycle: lifecycleShape }

const statusShape = structShape(
  {
    observedGeneration: atomicShape,
    conditions: {
      kind: 'list',
      listType: 'map',
      listMapKeys: ['type'],
      element: structShape({ type: textShape }, { unknownFields: atomicShape }),
    },
    attributes: atomicShape,
    instances: atomicShape,
  },
  open,
)

function specShape(mode: KindMode, structure: ObjectStructure): StructShape {
  const reserved = mode === 'managed' ? managedShapes : dataShapes
  const attributes = objectShape(structure)
  return { ...attributes, field: (name) => (Object.hasOwn(reserved, name) ? reserved[name] : attributes.field(name)) }
}

const known = new WeakMap<ObjectStructure, StructShape>()

function objectShape(structure: ObjectStructure): StructShape {
  let shape = known.get(structure)
  if (shape === undefined) {
    shape = makeObjectShape(structure)
    known.set(structure, shape)
  }
  return shape
}

function makeObjectShape({ fields }: ObjectStructure): StructShape {
  const made = new Map<string, TypeShape>()
  const field = (name: string): TypeShape | undefined => {
    const structure = fields.get(name)?.structure
    if (structure === undefined) return undefined
    const shape = made.get(name) ?? shapeOf(structure)
    made.set(name, shape)
    return shape
  }
  return { kind: 'struct', field, ...open }
}

function shapeOf(structure: Structure): TypeShape {
  switch (structure.kind) {
    case 'object':
      return objectShape(structure)
    case 'map':
      return { kind: 'map', element: shapeOf(structure.element), orLeaf: true }
    case 'set':
      return isScalar(structure.element) ? textSet : atomicList
    case 'list':
    case 'tuple':
      return atomicList
    default:
      return atomicShape
  }
}

function isScalar({ kind }: Structure): boolean {
  return kind === 'string' || kind === 'number' || kind === 'bool'
}
