import { type Attribute, attributeType, type Block, type NestedBlock, type Schema } from '@hykube/tfplugin/schema'
import {
  boolType,
  listType,
  mapType,
  numberType,
  setType,
  stringType,
  type Type,
  type Value,
  type ValueObject,
  valueObject,
} from '@hykube/tfplugin/value'
import fc from 'fast-check'
import { anyText, anyValue } from '../../../../tfplugin/src/value/testing/index.ts'
import { attribute, nestedAttribute, nestedBlock, schema } from './schemas.ts'

/** Schemas of every shape, two levels deep. */
export function anySchema(): fc.Arbitrary<Schema> {
  return fc
    .tuple(
      fc.array(anyAttribute(1), { maxLength: 4 }),
      fc.array(fc.tuple(anyNesting, fc.array(anyAttribute(1), { maxLength: 3 })), { maxLength: 3 }),
    )
    .map(([attributes, blocks]) =>
      schema(
        attributes.map((its, i) => ({ ...its, name: `a${i}` })),
        blocks.map(([nesting, inner], i) => nestedBlock(`b${i}`, nesting, numbered(inner))),
      ),
    )
}

/** The role of an object. A configuration has no computed-only attributes; `config with holes` has unknown values. */
export type Part = 'config' | 'config with holes' | 'state'

/** Objects of a schema. */
export function anyObject({ block }: Schema, part: Part): fc.Arbitrary<ValueObject> {
  return anyContent(block, part)
}

function anyContent({ attributes, blocks }: Block, part: Part): fc.Arbitrary<ValueObject> {
  const ofAttributes = attributes.map((its) =>
    part !== 'state' && its.computed && !its.optional
      ? fc.constant<[string, Value]>([its.name, null])
      : anyValue(attributeType(its), part === 'config with holes').map((value): [string, Value] => [its.name, value]),
  )
  const ofBlocks = blocks.map((nested) =>
    anyBlockValue(nested, part).map((value): [string, Value] => [nested.name, value]),
  )
  return fc.tuple(...ofAttributes, ...ofBlocks).map((entries) => valueObject(entries))
}

function anyBlockValue({ nesting, block }: NestedBlock, part: Part): fc.Arbitrary<Value> {
  const element = anyContent(block, part)
  if (nesting === 'list') return fc.array(element, { maxLength: 3 })
  return nesting === 'map'
    ? fc.dictionary(anyText, element, { maxKeys: 3 }).map((of) => valueObject(of))
    : fc.option(element)
}

const anyNesting = fc.constantFrom('single' as const, 'list' as const, 'map' as const)
const anyFlags = fc.constantFrom('optional', 'computed', 'optional computed', 'required')
const anyPlainType = fc.constantFrom<Type>(
  stringType,
  numberType,
  boolType,
  listType(stringType),
  mapType(numberType),
  setType(stringType),
)

function anyAttribute(depth: number): fc.Arbitrary<Attribute> {
  const plain = fc.tuple(anyFlags, anyPlainType).map(([flags, type]) => attribute('a', flags, type))
  if (depth === 0) return plain
  const nested = fc
    .tuple(anyFlags, anyNesting, fc.array(anyAttribute(depth - 1), { minLength: 1, maxLength: 3 }))
    .map(([flags, nesting, inner]) => nestedAttribute('n', nesting, numbered(inner), flags))
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: nested })
}

function numbered(attributes: readonly Attribute[]): Attribute[] {
  return attributes.map((its, i) => ({ ...its, name: `n${i}` }))
}
