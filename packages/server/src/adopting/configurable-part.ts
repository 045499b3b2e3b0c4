import { type Attribute, attributeType, type Block, impliedType, type NestedBlock } from '@hykube/tfplugin/schema'
import {
  canonicalSet,
  isList,
  isObject,
  type Type,
  type Value,
  type ValueObject,
  valueObject,
} from '@hykube/tfplugin/value'

/** Decides which optional and computed attributes count as configured. */
export interface ConfigurableChoice {
  /** The top-level optional and computed attributes that count as configured. */
  readonly keep: ReadonlySet<string> | 'all'
  /** True when an empty optional string counts. Older providers store an empty string for an attribute that was never set. */
  readonly emptyStrings: boolean
}

/** Returns the configurable part of a state: required and optional attributes, and null for everything else. */
export function configurablePart(block: Block, value: Value, choice: ConfigurableChoice): Value {
  return content(block.attributes, block.blocks, value, choice, true)
}

/** Returns the names of top-level attributes that are optional and computed. */
export function sharedAttributes({ attributes }: Block): readonly string[] {
  return attributes.filter(({ optional, computed }) => optional && computed).map(({ name }) => name)
}

function content(
  attributes: readonly Attribute[],
  blocks: readonly NestedBlock[],
  value: Value,
  choice: ConfigurableChoice,
  isTop: boolean,
): Value {
  if (!isObject(value)) return value
  const parts: Record<string, Value> = {}
  for (const attribute of attributes)
    parts[attribute.name] = attributePart(attribute, value[attribute.name] ?? null, choice, isTop)
  for (const block of blocks) parts[block.name] = blockPart(block, value[block.name] ?? null, choice)
  return valueObject(parts)
}

function attributePart(attribute: Attribute, value: Value, choice: ConfigurableChoice, isTop: boolean): Value {
  const { name, required, optional, computed, writeOnly, shape } = attribute
  if (value === null || writeOnly || !(required || optional)) return null
  if (isTop && optional && computed && choice.keep !== 'all' && !choice.keep.has(name)) return null
  if (optional && value === '' && !choice.emptyStrings) return null
  if (shape.kind === 'plain') return value
  const part = (each: Value) => content(shape.attributes, [], each, choice, false)
  return elements(value, shape.nesting, part, elementOf(attributeType(attribute)))
}

function blockPart({ nesting, block }: NestedBlock, value: Value, choice: ConfigurableChoice): Value {
  const part = (each: Value) => content(block.attributes, block.blocks, each, choice, false)
  return elements(value, nesting, part, impliedType(block))
}

function elements(value: Value, nesting: string, part: (value: Value) => Value, type: Type): Value {
  if (isList(value)) return nesting === 'set' ? canonicalSet(value.map(part), type) : value.map(part)
  if (nesting !== 'map' || !isObject(value)) return part(value)
  const object: ValueObject = value
  return valueObject(Object.fromEntries(Object.keys(object).map((key) => [key, part(object[key]!)])))
}

function elementOf(type: Type): Type {
  return type.kind === 'set' ? type.element : type
}
