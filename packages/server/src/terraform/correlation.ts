import type { Attribute, NestedBlock } from '@hykube/tfplugin/schema'
import { isList, isObject, isUnknown, unknown, type Value } from '@hykube/tfplugin/value'
import { type Content, contentOfAttributes, isNull, type NestedShape, partOf } from './parts.ts'
import { sameValues } from './same-values.ts'

/**
 * True when a prior element of a set may result from a configured one: they are equal, or differ only in computed attributes that the
 * configuration doesn't set. Nested sets must be equal.
 */
export function couldComeFrom(content: Content, prior: Value, config: Value): boolean {
  if (sameValues(prior, config)) return true
  // A null has no parts that could differ.
  if (!isObject(prior)) return true
  if (config === null) return false
  return (
    content.attributes.every((attribute) =>
      attributeCouldCome(attribute, prior[attribute.name] ?? null, partOf(config, attribute.name)),
    ) &&
    content.blocks.every((nested) => blockCouldCome(nested, prior[nested.name] ?? null, partOf(config, nested.name)))
  )
}

/**
 * True when an optional nested attribute holds a value that only a configuration can have set. If the configuration no longer has it,
 * the user removed it.
 */
export function isPartlyConfigured({ optional, shape }: Attribute, value: Value): boolean {
  return optional && shape.kind === 'nested' && hasConfigured(shape, value)
}

function attributeCouldCome(attribute: Attribute, prior: Value, config: Value): boolean {
  if (sameValues(prior, config)) return true
  const { shape } = attribute
  if (shape.kind === 'plain') return shape.type.kind !== 'set' && attribute.computed && isNull(config)
  if (shape.nesting === 'set') return false
  const content = contentOfAttributes(shape.attributes)
  return shape.nesting === 'single' ? couldComeFrom(content, prior, config) : elementsCouldCome(content, prior, config)
}

function blockCouldCome({ nesting, block }: NestedBlock, prior: Value, config: Value): boolean {
  if (sameValues(prior, config)) return true
  if (nesting === 'set') return false
  return nesting === 'single' || nesting === 'group'
    ? couldComeFrom(block, prior, config)
    : elementsCouldCome(block, prior, config)
}

/** Every prior element must have a counterpart; additional configured elements don't matter. */
function elementsCouldCome(content: Content, prior: Value, config: Value): boolean {
  if (isList(prior)) return prior.every((part, i) => counterpartCouldCome(content, part, elementAt(config, i)))
  if (!isObject(prior)) return true
  return Object.keys(prior).every((key) => counterpartCouldCome(content, prior[key]!, memberAt(config, key)))
}

function counterpartCouldCome(content: Content, prior: Value, config: Value | undefined): boolean {
  return config !== undefined && couldComeFrom(content, prior, config)
}

function elementAt(value: Value, index: number): Value | undefined {
  if (isUnknown(value)) return unknown
  return isList(value) ? value[index] : undefined
}

function memberAt(value: Value, key: string): Value | undefined {
  if (isUnknown(value)) return unknown
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function hasConfigured({ nesting, attributes }: NestedShape, value: Value): boolean {
  if (nesting === 'single') return objectHasConfigured(attributes, value)
  if (isList(value)) return value.some((part) => objectHasConfigured(attributes, part))
  return isObject(value) && Object.values(value).some((part) => objectHasConfigured(attributes, part))
}

function objectHasConfigured(attributes: readonly Attribute[], value: Value): boolean {
  if (!isObject(value)) return false
  return attributes.some(({ name, computed, shape }) => {
    const part = value[name] ?? null
    if (part === null) return false
    return !computed || (shape.kind === 'nested' && hasConfigured(shape, part))
  })
}
