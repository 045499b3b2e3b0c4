import {
  type Attribute,
  type AttributeShape,
  attributeType,
  type Block,
  emptyNestedBlock,
  impliedType,
  type NestedBlock,
  nestedType,
} from '@hykube/tfplugin/schema'
import {
  canonicalSet,
  convertValue,
  dynamicType,
  emptyObject,
  hasDynamic,
  isList,
  isObject,
  isUnknown,
  type ObjectType,
  objectType,
  type Type,
  type Value,
} from '@hykube/tfplugin/value'

type NestedShape = Extract<AttributeShape, { kind: 'nested' }>

/** The type to which an expression's value for nested attributes is converted; absent members that are not required become null. */
export function nestedAttributeConfigType(shape: NestedShape): Type {
  const known = shapeTypes.get(shape)
  if (known !== undefined) return known
  const members = shape.attributes.map(({ name, shape: inner, ...attribute }): [string, Type] => [
    name,
    inner.kind === 'nested' ? nestedAttributeConfigType(inner) : attributeType({ name, shape: inner, ...attribute }),
  ])
  const type = nestedType(shape.nesting, objectType(new Map(members), requiredNames(shape.attributes)))
  shapeTypes.set(shape, type)
  return type
}

/** The type to which an expression's value for nested blocks is converted; absent members that are not required become null. */
export function nestedBlockConfigType({ nesting, block }: Pick<NestedBlock, 'nesting' | 'block'>): Type {
  return nestedType(nesting, blockConfigType(block))
}

/** Replaces null by empty collections for absent nested blocks, as the provider protocol requires. */
export function completeBlocks(value: Value, nested: NestedBlock): Value {
  if (isUnknown(value)) return value
  if (value === null) return emptyNestedBlock(nested)
  const { nesting, block } = nested
  const element = impliedType(block)
  switch (nesting) {
    case 'single':
    case 'group':
      return completeBlock(value, block)
    case 'list':
    case 'set': {
      const blocks = isList(value) ? value.map((each) => completeBlock(each, block)) : []
      if (nesting === 'set') return canonicalSet(blocks, element)
      return hasDynamic(element) ? convertValue(blocks, dynamicType) : blocks
    }
    case 'map': {
      const blocks = isObject(value) ? eachMember(value, (member) => completeBlock(member, block)) : emptyObject()
      return hasDynamic(element) ? convertValue(blocks, dynamicType) : blocks
    }
  }
}

const shapeTypes = new WeakMap<NestedShape, Type>()
const blockTypes = new WeakMap<Block, ObjectType>()

function blockConfigType(block: Block): ObjectType {
  const known = blockTypes.get(block)
  if (known !== undefined) return known
  const type = objectType(
    new Map([
      ...block.attributes.map((attribute): [string, Type] => [
        attribute.name,
        attribute.shape.kind === 'nested' ? nestedAttributeConfigType(attribute.shape) : attributeType(attribute),
      ]),
      ...block.blocks.map((nested): [string, Type] => [nested.name, nestedBlockConfigType(nested)]),
    ]),
    requiredNames(block.attributes),
  )
  blockTypes.set(block, type)
  return type
}

function requiredNames(attributes: readonly Attribute[]): readonly string[] {
  return attributes.filter(({ required }) => required).map(({ name }) => name)
}

function completeBlock(value: Value, block: Block): Value {
  if (!isObject(value)) return value
  const object = emptyObject()
  for (const { name } of block.attributes) object[name] = value[name] ?? null
  for (const nested of block.blocks) object[nested.name] = completeBlocks(value[nested.name] ?? null, nested)
  return object
}

function eachMember(value: Readonly<Record<string, Value>>, change: (member: Value) => Value): Value {
  const object = emptyObject()
  for (const name of Object.keys(value)) object[name] = change(value[name]!)
  return object
}
