import {
  dynamicType,
  hasDynamic,
  listType,
  mapType,
  type ObjectType,
  objectType,
  setType,
  type Type,
} from '../value/index.ts'
import type { Attribute, Block, IdentitySchema, NestedBlock, Nesting } from './schema.ts'

/**
 * Returns the object type of a block's values, which determines their encoding. Cached: the same block object returns
 * the same type object, which other caches use as a key.
 */
export function impliedType(block: Block): ObjectType {
  const known = blockTypes.get(block)
  if (known !== undefined) return known
  const type = objectType(
    new Map([
      ...block.attributes.map((attribute): [string, Type] => [attribute.name, attributeType(attribute)]),
      ...block.blocks.map((nested): [string, Type] => [nested.name, nestedBlockType(nested)]),
    ]),
  )
  blockTypes.set(block, type)
  return type
}

/** Returns the type of an attribute's values. */
export function attributeType({ shape }: Attribute): Type {
  if (shape.kind === 'plain') return shape.type
  const element = objectType(new Map(shape.attributes.map((nested) => [nested.name, attributeType(nested)])))
  return nestedType(shape.nesting, element)
}

/** Returns the type of a resource identity's values. */
export function identityType(schema: IdentitySchema): ObjectType {
  const known = identityTypes.get(schema)
  if (known !== undefined) return known
  const type = objectType(new Map(schema.attributes.map((attribute) => [attribute.name, attribute.type])))
  identityTypes.set(schema, type)
  return type
}

/** The type of nested attributes or blocks with this nesting. */
export function nestedType(nesting: Nesting, element: ObjectType): Type {
  switch (nesting) {
    case 'single':
    case 'group':
      return element
    case 'list':
      return listType(element)
    case 'set':
      return setType(element)
    case 'map':
      return mapType(element)
  }
}

const blockTypes = new WeakMap<Block, ObjectType>()
const identityTypes = new WeakMap<IdentitySchema, ObjectType>()

function nestedBlockType({ nesting, block }: NestedBlock): Type {
  const element = impliedType(block)
  // Blocks with dynamic attributes may differ in type, so the list or map is sent as a tuple or object with its own type.
  return (nesting === 'list' || nesting === 'map') && hasDynamic(element) ? dynamicType : nestedType(nesting, element)
}
