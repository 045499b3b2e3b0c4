import {
  canonicalSet,
  emptyObject,
  isList,
  isObject,
  isUnknown,
  type Value,
  type ValueObject,
} from '@hykube/tfplugin/value'
import type { AttributeSpec } from './attribute.ts'
import type { BlockSpec } from './block.ts'
import { contentOf, elementTypeOf, nestingOf } from './element-type.ts'
import { eachWithin, misfit, within } from './misfit.ts'
import { oncePerContent } from './once-per-content.ts'
import type { Content } from './schema.ts'
import { readValue, writeValue } from './value-type.ts'

/** The author's form of values of a schema. Throws MisfitError with the place. */
export function readContent(content: Content, value: ValueObject): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  eachWithin(partsOf(content), (name, spec) => {
    read[name] = readPart(spec, value[name] ?? null)
  })
  return read
}

/** Values of a schema from what an author gave: what is missing is null, or no blocks. Throws MisfitError likewise. */
export function writeContent(content: Content, given: unknown): ValueObject {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return misfit('an object is required')
  const record = given as Readonly<Record<string, unknown>>
  const other = Object.keys(record).find((name) => !(name in content.attributes) && !(name in content.blocks))
  if (other !== undefined) return within(other, () => misfit('there is no such attribute'))
  const written = emptyObject()
  eachWithin(partsOf(content), (name, spec) => {
    written[name] = writePart(spec, record[name])
  })
  return written
}

/** The attributes and blocks by their names. */
export const partsOf: (content: Content) => readonly (readonly [string, AttributeSpec | BlockSpec])[] = oncePerContent(
  ({ attributes, blocks }) => [...Object.entries(attributes), ...Object.entries(blocks)],
)

/** The author's form of one attribute or block; null and unknown stay what they are. */
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

/** The value of one attribute or block from what an author gave. */
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
      return listed(given).map((part, i) => within(i, () => one(part)))
    case 'set': {
      const written = listed(given).map((part, i) => within(i, () => one(part)))
      return canonicalSet(written, elementTypeOf(content))
    }
    case 'map': {
      if (typeof given !== 'object' || Array.isArray(given)) return misfit('a map is required')
      const written = emptyObject()
      for (const [key, part] of Object.entries(given)) written[key] = within(key, () => one(part))
      return written
    }
  }
}

function noBlocks({ nesting }: BlockSpec): Value {
  if (nesting === 'single') return null
  return nesting === 'map' ? emptyObject() : []
}

function listed(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : misfit('a list is required')
}
