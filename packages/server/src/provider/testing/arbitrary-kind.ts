import type { JsonObject, JsonValue } from '@hykube/machinery/json'
import type { Attribute, Block, NestedBlock } from '@hykube/tfplugin/schema'
import {
  boolType,
  dynamicType,
  listType,
  mapType,
  numberType,
  objectType,
  setType,
  stringType,
  type Type,
} from '@hykube/tfplugin/value'
import fc, { type Arbitrary } from 'fast-check'
import { blockIn, blockOf, nested, plain } from './schema-builder.ts'

/** A schema and a spec that conforms to it. */
export interface KindSample {
  readonly block: Block
  readonly spec: JsonObject
}

/** Random schemas, each with a conforming random spec: literals and expressions, attributes and blocks of all nestings. */
export function arbitraryKind(): Arbitrary<KindSample> {
  return arbitraryBlock(2).chain((block) => arbitraryObject(block).map((spec) => ({ block, spec })))
}

const name = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta')

function arbitraryType(depth: number): Arbitrary<Type> {
  const scalar = fc.constantFrom<Type>(stringType, numberType, boolType, dynamicType)
  if (depth === 0) return scalar
  const inner = arbitraryType(depth - 1)
  return fc.oneof(
    { arbitrary: scalar, weight: 3 },
    { arbitrary: inner.map(listType), weight: 1 },
    { arbitrary: inner.map(setType), weight: 1 },
    { arbitrary: inner.map(mapType), weight: 1 },
    { arbitrary: fc.dictionary(name, inner, { maxKeys: 3 }).map((of) => objectType(of)), weight: 1 },
  )
}

const flags = fc.constantFrom(
  { required: true },
  { optional: true },
  { optional: true, computed: true },
  { optional: true, sensitive: true },
  { computed: true },
)

function arbitraryAttribute(depth: number): Arbitrary<Attribute> {
  const typed = fc.tuple(name, arbitraryType(2), flags).map(([of, type, how]) => plain(of, type, how))
  if (depth === 0) return typed
  const nesting = fc.constantFrom('single' as const, 'list' as const, 'set' as const, 'map' as const)
  const inner = fc.uniqueArray(arbitraryAttribute(depth - 1), { selector: (each) => each.name, maxLength: 3 })
  return fc.oneof(
    { arbitrary: typed, weight: 3 },
    { arbitrary: fc.tuple(name, nesting, inner, flags).map((parts) => nested(...parts)), weight: 1 },
  )
}

function arbitraryBlock(depth: number): Arbitrary<Block> {
  const attributes = fc.uniqueArray(arbitraryAttribute(1), { selector: (each) => each.name, maxLength: 4 })
  const blocks =
    depth === 0
      ? fc.constant<NestedBlock[]>([])
      : fc.uniqueArray(arbitraryNestedBlock(depth - 1), { selector: (each) => each.name, maxLength: 3 })
  return fc.tuple(attributes, blocks).map((parts) => blockOf(...parts))
}

function arbitraryNestedBlock(depth: number): Arbitrary<NestedBlock> {
  const nesting = fc.constantFrom('single' as const, 'list' as const, 'set' as const, 'map' as const)
  // Blocks and attributes must not share names.
  return fc
    .tuple(name, nesting, arbitraryBlock(depth), fc.constantFrom(0, 1), fc.constantFrom(0, 3))
    .map(([of, how, block, minItems, maxItems]) => blockIn(`${of}_block`, how, block, { minItems, maxItems }))
}

const expression = fc.constantFrom('${a.b}', '${secret["x"].y}')
const text = fc.oneof(fc.string({ unit: fc.constantFrom('a', 'b', '-', '1') }), fc.constant('x-${a.b}'), expression)
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant('12.50'))

function arbitraryObject({ attributes, blocks }: Block): Arbitrary<JsonObject> {
  return fc
    .tuple(arbitraryAttributes(attributes), fc.tuple(...blocks.map((block) => arbitraryBlocks(block))))
    .map(([given, nestedGiven]) => Object.assign({}, given, ...nestedGiven) as JsonObject)
}

function arbitraryAttributes(attributes: readonly Attribute[]): Arbitrary<JsonObject> {
  const settable = attributes.filter(({ required, optional }) => required || optional)
  const fields = Object.fromEntries(settable.map((each) => [each.name, arbitraryOf(each)]))
  return fc.record(fields, { requiredKeys: settable.filter(({ required }) => required).map((each) => each.name) })
}

function arbitraryOf({ shape }: Attribute): Arbitrary<JsonValue> {
  if (shape.kind === 'plain') return arbitraryValue(shape.type)
  return fc.oneof({ arbitrary: collected(shape.nesting, arbitraryAttributes(shape.attributes)), weight: 4 }, expression)
}

function arbitraryBlocks({ name: of, nesting, block, minItems, maxItems }: NestedBlock): Arbitrary<JsonObject> {
  const bounds = { minLength: minItems, maxLength: maxItems === 0 ? 3 : maxItems }
  const given = collected(nesting === 'group' ? 'single' : nesting, arbitraryObject(block), bounds)
  const there = fc.oneof({ arbitrary: given, weight: 4 }, expression).map((value) => ({ [of]: value }) as JsonObject)
  return minItems > 0 ? there : fc.oneof(there, fc.constant<JsonObject>({}))
}

function collected(
  nesting: 'single' | 'list' | 'set' | 'map',
  element: Arbitrary<JsonValue>,
  bounds: { readonly minLength: number; readonly maxLength: number } = { minLength: 0, maxLength: 3 },
): Arbitrary<JsonValue> {
  if (nesting === 'single') return element
  if (nesting !== 'map') return fc.array(element, bounds)
  return fc.dictionary(name, element, { minKeys: bounds.minLength, maxKeys: bounds.maxLength, noNullPrototype: true })
}

function arbitraryValue(type: Type): Arbitrary<JsonValue> {
  return fc.oneof({ arbitrary: arbitraryLiteral(type), weight: 4 }, expression)
}

function arbitraryLiteral(type: Type): Arbitrary<JsonValue> {
  switch (type.kind) {
    case 'string':
      return text
    case 'number':
      return number
    case 'bool':
      return fc.boolean()
    case 'dynamic':
      return fc.oneof(text, fc.integer(), fc.constant<JsonValue>({ a: ['${b.c}', null] }))
    case 'list':
      return fc.array(arbitraryValue(type.element), { maxLength: 3 })
    case 'set':
      return fc.uniqueArray(arbitraryValue(type.element), { maxLength: 3, selector: identity })
    case 'map':
      return fc.dictionary(name, arbitraryValue(type.element), { maxKeys: 3, noNullPrototype: true })
    case 'object':
      return fc.record(Object.fromEntries([...type.attributes].map(([of, inner]) => [of, arbitraryValue(inner)])))
    default:
      return fc.constant(null)
  }
}

// Numbers are compared by value: 1 and 1.0 are the same item of a set.
function identity(value: JsonValue): string {
  if (value !== null && typeof value === 'object') return JSON.stringify(value)
  return value === '12.50' ? '12.5' : String(value)
}
