import {
  type Attribute,
  attributeType,
  type Block,
  canonicalSet,
  impliedType,
  isList,
  isObject,
  type NestedBlock,
  type Type,
  type Value,
  type ValueObject,
  valueObject,
} from '@hykube/tfplugin/value'

/** Which of the attributes that a person or the provider may set count as set by a person. */
export interface Settable {
  /** Of those at the top that the provider may set too. */
  readonly keep: ReadonlySet<string> | 'all'
  /** Whether an optional text that is empty counts: older providers keep empty texts for what was never given. */
  readonly emptyTexts: boolean
}

/** The configuration that a state may have been made from: what can be set, and null for everything else. */
export function settablePart(block: Block, value: Value, settable: Settable): Value {
  return content(block.attributes, block.blocks, value, settable, true)
}

/** The attributes at the top that a person or the provider may set. */
export function sharedAttributes({ attributes }: Block): readonly string[] {
  return attributes.filter(({ optional, computed }) => optional && computed).map(({ name }) => name)
}

function content(
  attributes: readonly Attribute[],
  blocks: readonly NestedBlock[],
  value: Value,
  settable: Settable,
  isTop: boolean,
): Value {
  if (!isObject(value)) return value
  const parts: Record<string, Value> = {}
  for (const attribute of attributes)
    parts[attribute.name] = attributePart(attribute, value[attribute.name] ?? null, settable, isTop)
  for (const block of blocks) parts[block.name] = blockPart(block, value[block.name] ?? null, settable)
  return valueObject(parts)
}

function attributePart(attribute: Attribute, value: Value, settable: Settable, isTop: boolean): Value {
  const { name, required, optional, computed, writeOnly, shape } = attribute
  if (value === null || writeOnly || !(required || optional)) return null
  if (isTop && optional && computed && settable.keep !== 'all' && !settable.keep.has(name)) return null
  if (optional && value === '' && !settable.emptyTexts) return null
  if (shape.kind === 'plain') return value
  const part = (each: Value) => content(shape.attributes, [], each, settable, false)
  return elements(value, shape.nesting, part, elementOf(attributeType(attribute)))
}

function blockPart({ nesting, block }: NestedBlock, value: Value, settable: Settable): Value {
  const part = (each: Value) => content(block.attributes, block.blocks, each, settable, false)
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
