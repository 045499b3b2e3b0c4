import {
  type Attribute,
  attributeType,
  type Block,
  emptyNestedBlock,
  impliedType,
  type NestedBlock,
} from '@hykube/tfplugin/schema'
import { canonicalSet, isList, isObject, type Type, type Value, valueObject } from '@hykube/tfplugin/value'
import { isZero } from '../terraform/index.ts'

/**
 * How much of an attribute or block at the top is configured: `needed` is what is required or is optional and not computed, `chosen`
 * adds optional and computed or deprecated members, `all` adds zero values.
 */
export type Extent = (typeof extents)[number]

/** From least to most. */
export const extents = ['none', 'needed', 'chosen', 'all'] as const

/** Decides which values of a state count as configured. */
export interface ConfigurableChoice {
  /** The extent of an attribute or block at the top. */
  extentOf(name: string): Extent
  /** True for an attribute that the provider does not accept, such as `disk.kind`. */
  isRefused(path: string): boolean
}

/** Returns the part of a state that counts as configured, with null for everything else. */
export function configurablePart({ attributes, blocks }: Block, value: Value, choice: ConfigurableChoice): Value {
  if (!isObject(value)) return value
  const { isRefused } = choice
  const parts: Record<string, Value> = {}
  for (const attribute of attributes) {
    const { name } = attribute
    const extent = choice.extentOf(name)
    // The extent of an attribute at the top decides about the attribute itself, also when it is optional and computed.
    const isTaken = isSettable(attribute) && extent !== 'none' && !isRefused(name)
    parts[name] = isTaken ? attributePart(attribute, value[name] ?? null, { extent, isRefused, path: name }) : null
  }
  for (const block of blocks) {
    const { name } = block
    const extent = choice.extentOf(name)
    parts[name] = blockPart(block, value[name] ?? null, { extent, isRefused, path: name })
  }
  return valueObject(parts)
}

/** True for an attribute that a spec may hold and a state has. */
export function isSettable({ required, optional, writeOnly }: Attribute): boolean {
  return (required || optional) && !writeOnly
}

interface Place {
  readonly extent: Extent
  readonly isRefused: (path: string) => boolean
  readonly path: string
}

function content(attributes: readonly Attribute[], blocks: readonly NestedBlock[], value: Value, place: Place): Value {
  if (!isObject(value)) return value
  const parts: Record<string, Value> = {}
  for (const attribute of attributes) {
    const at = within(place, attribute.name)
    parts[attribute.name] = isWanted(attribute, at) ? attributePart(attribute, value[attribute.name] ?? null, at) : null
  }
  for (const block of blocks) parts[block.name] = blockPart(block, value[block.name] ?? null, within(place, block.name))
  return valueObject(parts)
}

function within(place: Place, name: string): Place {
  return { ...place, path: `${place.path}.${name}` }
}

function isWanted(attribute: Attribute, { extent, isRefused, path }: Place): boolean {
  if (!isSettable(attribute) || isRefused(path)) return false
  return attribute.required || extent !== 'needed' || !(attribute.computed || attribute.deprecated)
}

function attributePart(attribute: Attribute, value: Value, place: Place): Value {
  const { required, shape } = attribute
  const type = attributeType(attribute)
  if (value === null || (!required && place.extent !== 'all' && isZero(type, value))) return null
  if (shape.kind === 'plain') return place.extent === 'all' ? value : withoutZeros(type, value)
  return elements(value, shape.nesting, (each) => content(shape.attributes, [], each, place), elementOf(type))
}

function blockPart(nested: NestedBlock, value: Value, place: Place): Value {
  const { nesting, block } = nested
  if (value === null || place.extent === 'none' || place.isRefused(place.path)) return emptyNestedBlock(nested)
  return elements(value, nesting, (each) => content(block.attributes, block.blocks, each, place), impliedType(block))
}

// The legacy SDK encodes blocks as lists of objects (ConfigMode: Attr) and stores zero values for members that were never set.
function withoutZeros(type: Type, value: Value): Value {
  if (isList(value) && (type.kind === 'list' || type.kind === 'set')) {
    const parts = value.map((each) => withoutZeros(type.element, each))
    return type.kind === 'set' ? canonicalSet(parts, type.element) : parts
  }
  if (!isObject(value)) return value
  if (type.kind === 'map') return mapObject(value, (_, each) => withoutZeros(type.element, each))
  if (type.kind !== 'object') return value
  return mapObject(value, (name, each) => {
    const part = type.attributes.get(name)
    return part === undefined || isZero(part, each) ? null : withoutZeros(part, each)
  })
}

function elements(value: Value, nesting: string, part: (value: Value) => Value, type: Type): Value {
  if (isList(value)) return nesting === 'set' ? canonicalSet(value.map(part), type) : value.map(part)
  if (nesting !== 'map' || !isObject(value)) return part(value)
  return mapObject(value, (_, each) => part(each))
}

function mapObject(object: Readonly<Record<string, Value>>, part: (name: string, value: Value) => Value): Value {
  return valueObject(Object.keys(object).map((name): [string, Value] => [name, part(name, object[name]!)]))
}

function elementOf(type: Type): Type {
  return type.kind === 'set' ? type.element : type
}
