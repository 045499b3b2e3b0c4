// Converts between protocol values and the plain JavaScript values that provider authors work with.

import {
  canonicalSet,
  emptyObject,
  isList,
  isObject,
  isUnknown,
  type Value,
  type ValueObject,
} from '@hykube/tfplugin/value'
import { memoizeByContent } from './memoize-by-content.ts'
import type { AttributeSpec } from './schema/attribute.ts'
import type { BlockSpec } from './schema/block.ts'
import { contentOf, elementTypeOf, nestingOf } from './schema/element-type.ts'
import type { Content } from './schema/schema.ts'
import { eachWithin, mismatch, within } from './schema/type-mismatch.ts'
import { readValue, writeValue } from './schema/value-type.ts'

/** Converts a protocol object to the author's representation. Throws TypeMismatchError with the path. */
export function readContent(content: Content, value: ValueObject): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  eachWithin(partsOf(content), (name, spec) => {
    read[name] = readPart(spec, value[name] ?? null)
  })
  return read
}

/** Converts an author's object to protocol values; a missing attribute is null. Throws TypeMismatchError with the path. */
export function writeContent(content: Content, given: unknown): ValueObject {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return mismatch('an object is required')
  const record = given as Readonly<Record<string, unknown>>
  const other = Object.keys(record).find((name) => !(name in content.attributes) && !(name in content.blocks))
  if (other !== undefined) return within(other, () => mismatch('no such attribute'))
  const written = emptyObject()
  eachWithin(partsOf(content), (name, spec) => {
    written[name] = writePart(spec, record[name])
  })
  return written
}

/** Returns the attributes and blocks of a content with their names; cached. */
export const partsOf: (content: Content) => readonly (readonly [string, AttributeSpec | BlockSpec])[] =
  memoizeByContent(({ attributes, blocks }) => [...Object.entries(attributes), ...Object.entries(blocks)])

/** Converts one attribute or block to the author's representation; null and unknown are unchanged. */
export function readPart(spec: AttributeSpec | BlockSpec, value: Value): unknown {
  if (value === null || isUnknown(value)) return value
  if (spec.kind === 'attribute' && spec.shape.kind === 'plain') return readValue(spec.shape.of, value)
  const content = contentOf(spec)!
  const one = (part: Value) => (isObject(part) ? readContent(content, part) : part)
  if (isList(value)) return value.map((part, i) => within(i, () => one(part)))
  if (nestingOf(spec) !== 'map') return one(value)
  return Object.fromEntries(
    Object.entries(value as ValueObject).map(([key, part]) => [key, within(key, () => one(part))]),
  )
}

/** Converts one attribute or block from the author's representation to a protocol value. */
export function writePart(spec: AttributeSpec | BlockSpec, given: unknown): Value {
  if (spec.kind === 'attribute' && spec.shape.kind === 'plain') return writeValue(spec.shape.of, given)
  if (isUnknown(given)) return given
  if (given === null || given === undefined) return spec.kind === 'block' ? noBlocks(spec) : null
  const content = contentOf(spec)!
  const one = (part: unknown) => (isUnknown(part) ? part : writeContent(content, part))
  switch (nestingOf(spec)) {
    case 'single':
      return one(given)
    case 'list':
      return requireList(given).map((part, i) => within(i, () => one(part)))
    case 'set': {
      const written = requireList(given).map((part, i) => within(i, () => one(part)))
      return canonicalSet(written, elementTypeOf(content))
    }
    case 'map': {
      if (typeof given !== 'object' || Array.isArray(given)) return mismatch('a map is required')
      const written = emptyObject()
      for (const [key, part] of Object.entries(given)) written[key] = within(key, () => one(part))
      return written
    }
  }
}

// Terraform represents absent blocks as an empty collection; only a single block is null.
function noBlocks({ nesting }: BlockSpec): Value {
  if (nesting === 'single') return null
  return nesting === 'map' ? emptyObject() : []
}

function requireList(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : mismatch('a list is required')
}
