import type { Schema } from '@hykube/tfplugin/schema'
import {
  Decimal,
  dynamicType,
  listType,
  mapType,
  numberType,
  objectType,
  pathToText,
  setType,
  stringType,
  Typed,
  Unknown,
  unknown,
  type Value,
} from '@hykube/tfplugin/value'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertObjectCompatible } from './compatibility.ts'
import { anyObject, anySchema } from './testing/arbitraries.ts'
import { attribute, nestedBlock, object, schema } from './testing/schemas.ts'

const a = attribute('a')
const one = schema([a])
const of = (value: Value) => object({ a: value })
const b = (value: Value) => object({ b: value })
const typed = (type: Parameters<typeof attribute>[2]) => schema([attribute('a', 'optional', type)])
const blocks = (nesting: 'single' | 'list' | 'set' | 'map') => schema([], [nestedBlock('b', nesting, [a])])
const number = (value: number) => Decimal.fromInteger(value)

// [why, schema, planned, actual, where something is wrong]
test.each<[string, Schema, Value, Value, string[]]>([
  ['the same', one, of('x'), of('x'), []],
  ['another value', one, of('x'), of('y'), ['a']],
  ['what was unknown', one, of(unknown), of('y'), []],
  ['what was unknown, null', one, of(unknown), of(null), []],
  ['not null, as was known', one, of(new Unknown({ notNull: true })), of(null), ['a']],
  ['with a beginning, as was known', one, of(new Unknown({ prefix: 'ab' })), of('ax'), ['a']],
  ['with the beginning', one, of(new Unknown({ prefix: 'ab' })), of('abc'), []],
  [
    'a number beyond what was known',
    typed(numberType),
    of(new Unknown({ maximum: { value: number(3), inclusive: true } })),
    of(number(4)),
    ['a'],
  ],
  [
    'a number at the bound',
    typed(numberType),
    of(new Unknown({ maximum: { value: number(3), inclusive: true } })),
    of(number(3)),
    [],
  ],
  [
    'a list that is too long',
    typed(listType(stringType)),
    of(new Unknown({ maximumLength: 1 })),
    of(['x', 'y']),
    ['a'],
  ],
  ['known, and now unknown', one, of('x'), of(unknown), ['a']],
  ['null, and now something', one, of(null), of('x'), ['a']],
  ['something, and now null', one, of('x'), of(null), ['a']],
  ['the object is gone', one, of('x'), null, ['']],
  ['there is an object', one, null, of('x'), ['']],
  ['an element vanished', typed(listType(stringType)), of(['x', 'y']), of(['x']), ['a']],
  ['an element appeared', typed(mapType(stringType)), of(object({})), of(object({ k: 'x' })), ['a']],
  ['an element changed', typed(mapType(stringType)), of(object({ k: 'x' })), of(object({ k: 'y' })), ['a["k"]']],
  [
    'a set that became smaller because unknowns were equal',
    typed(setType(stringType)),
    of(['x', unknown]),
    of(['x']),
    [],
  ],
  ['a set that grew', typed(setType(stringType)), of(['x', unknown]), of(['x', 'y', 'z']), ['a']],
  ['an element of a set that is no more', typed(setType(stringType)), of(['x']), of(['y']), ['a']],
  ['a dynamic value that was not known', typed(dynamicType), of(null), of(new Typed(stringType, 'x')), []],
  [
    'a dynamic value of another type',
    typed(dynamicType),
    of(new Typed(stringType, 'x')),
    of(new Typed(numberType, number(1))),
    ['a'],
  ],
  [
    'a dynamic object with an attribute that was not known',
    typed(dynamicType),
    of(new Typed(objectType({ k: dynamicType }), object({ k: unknown }))),
    of(new Typed(objectType({ k: stringType }), object({ k: 'x' }))),
    [],
  ],
  [
    'a dynamic object with an attribute more than announced',
    typed(dynamicType),
    of(new Typed(objectType({ k: dynamicType }), object({ k: unknown }))),
    of(new Typed(objectType({ k: stringType, l: stringType }), object({ k: 'x', l: 'y' }))),
    ['a'],
  ],
  ['more blocks', blocks('list'), b([of('x')]), b([of('x'), of('y')]), ['b']],
  ['blocks that were unknown', blocks('list'), b(unknown), b([of('x'), of('y')]), []],
  ['a block that was unknown and is none', blocks('single'), b(unknown), b(null), []],
  ['a block that is no more', blocks('single'), b(of('x')), b(null), ['b']],
  [
    'a block of a map under another key',
    blocks('map'),
    b(object({ x: of('1') })),
    b(object({ y: of('1') })),
    ['b', 'b'],
  ],
  ['blocks of a set that belong together', blocks('set'), b([of(unknown), of('y')]), b([of('x'), of('y')]), []],
  ['a block of a set that is no more', blocks('set'), b([of('x')]), b([of('y')]), ['b']],
])('%s', (_, its, planned, actual, places) => {
  const problems = assertObjectCompatible(its, planned, actual)
  expect(problems.map(({ path }) => pathToText(path))).toEqual(places)
})

test('of a sensitive attribute not even keys are told', () => {
  const its = schema([attribute('a', 'optional sensitive', mapType(stringType))])
  const problems = assertObjectCompatible(its, of(object({ hunter2: 'x' })), of(object({ hunter3: 'x' })))
  expect(problems).toHaveLength(1)
  expect(problems[0]!.text).not.toContain('hunter')
})

test('every value is compatible with itself, and with what is unknown in its place', () => {
  const anyCase = anySchema().chain((its) => fc.tuple(fc.constant(its), anyObject(its, 'config with holes')))
  fc.assert(
    fc.property(anyCase, ([its, value]) => {
      expect(assertObjectCompatible(its, value, value)).toEqual([])
      const open = object(Object.fromEntries(Object.keys(value).map((name) => [name, unknown])))
      expect(assertObjectCompatible(its, open, value)).toEqual([])
    }),
  )
})
