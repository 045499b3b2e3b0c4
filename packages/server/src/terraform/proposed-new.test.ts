import { emptyBlock, type Schema } from '@hykube/tfplugin/schema'
import {
  Decimal,
  dynamicType,
  equalValues,
  listType,
  mapType,
  numberType,
  objectType,
  setType,
  stringType,
  Typed,
  tupleType,
  unknown,
  type Value,
} from '@hykube/tfplugin/value'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertPlanValid } from './plan-validity.ts'
import { plannedUnknownObject, proposedNew } from './proposed-new.ts'
import { anyObject, anySchema } from './testing/arbitraries.ts'
import { attribute, nestedAttribute, nestedBlock, object, objectOf, schema } from './testing/schemas.ts'

const name = attribute('name', 'required')
const id = attribute('id', 'computed')
const zone = attribute('zone', 'optional computed')
const secret = attribute('secret', 'optional writeOnly')
const flat = schema([name, id, zone, secret])

test.each<[string, Value, Value, Value]>([
  [
    'what is computed and left open keeps its value',
    object({ name: 'a', id: '1', zone: 'z', secret: null }),
    object({ name: 'b', id: null, zone: null, secret: null }),
    object({ name: 'b', id: '1', zone: 'z', secret: null }),
  ],
  [
    'what is configured wins',
    object({ name: 'a', id: '1', zone: 'z', secret: null }),
    object({ name: 'a', id: null, zone: 'y', secret: null }),
    object({ name: 'a', id: '1', zone: 'y', secret: null }),
  ],
  [
    'an unknown stays unknown',
    object({ name: 'a', id: '1', zone: 'z', secret: null }),
    object({ name: unknown, id: null, zone: unknown, secret: null }),
    object({ name: unknown, id: '1', zone: unknown, secret: null }),
  ],
  [
    'to create, what is left open is null',
    null,
    object({ name: 'a', id: null, zone: null, secret: null }),
    object({ name: 'a', id: null, zone: null, secret: null }),
  ],
  [
    'a write-only value is sent along',
    object({ name: 'a', id: '1', zone: 'z', secret: null }),
    object({ name: 'a', id: null, zone: null, secret: 's' }),
    object({ name: 'a', id: '1', zone: 'z', secret: 's' }),
  ],
  ['nothing from nothing is nothing', null, null, null],
])('%s', (_, prior, config, proposed) => {
  expect(proposedNew(flat, prior, config)).toEqual(proposed)
})

describe('nested attributes', () => {
  const parts = [attribute('key'), attribute('made', 'computed')]
  const part = (key: Value, made: Value = null) => object({ key, made })
  const of = (nesting: 'single' | 'list' | 'set' | 'map', flags = 'optional') =>
    schema([nestedAttribute('n', nesting, parts, flags)])

  test.each<[string, Schema, Value, Value, Value]>([
    ['single: by attribute', of('single'), part('a', '1'), part('b'), part('b', '1')],
    ['single: removed', of('single'), part('a', '1'), null, null],
    ['list: by index', of('list'), [part('a', '1')], [part('b'), part('c')], [part('b', '1'), part('c')]],
    ['list: a null element stays null', of('list'), [part('a', '1')], [null], [null]],
    ['list: an unknown element has unknown parts', of('list'), [part('a', '1')], [unknown], [part(unknown, unknown)]],
    [
      'map: by key',
      of('map'),
      object({ x: part('a', '1'), y: part('b', '2') }),
      object({ y: part('c'), z: part('d') }),
      object({ y: part('c', '2'), z: part('d') }),
    ],
    ['set: by what is written', of('set'), [part('a', '1'), part('b', '2')], [part('b')], [part('b', '2')]],
    ['set: what is new has nothing before it', of('set'), [part('a', '1')], [part('b')], [part('b')]],
    [
      'computed and left open: kept as the provider chose it',
      schema([nestedAttribute('n', 'single', [attribute('made', 'computed')], 'optional computed')]),
      object({ made: '1' }),
      null,
      object({ made: '1' }),
    ],
    [
      'computed, but once written: removed with what was written',
      of('single', 'optional computed'),
      part('a', '1'),
      null,
      null,
    ],
  ])('%s', (_, its, prior, config, proposed) => {
    expect(proposedNew(its, object({ n: prior }), object({ n: config }))).toEqual(object({ n: proposed }))
  })
})

describe('blocks', () => {
  const inner = [attribute('key'), attribute('made', 'computed')]
  const part = (key: Value, made: Value = null) => object({ key, made })
  const of = (nesting: 'single' | 'group' | 'list' | 'set' | 'map') => schema([], [nestedBlock('b', nesting, inner)])

  test.each<[string, Schema, Value, Value, Value]>([
    ['single: removed', of('single'), part('a', '1'), null, null],
    ['single: added', of('single'), null, part('a'), part('a')],
    ['group: always there', of('group'), part('a', '1'), part(null), part(null, '1')],
    ['list: by index', of('list'), [part('a', '1'), part('b', '2')], [part('c')], [part('c', '1')]],
    ['map: by key', of('map'), object({ x: part('a', '1') }), object({ x: part('b') }), object({ x: part('b', '1') })],
    [
      'set: by what is written',
      of('set'),
      [part('a', '1'), part('b', '2')],
      [part('b'), part('c')],
      [part('b', '2'), part('c')],
    ],
    ['unknown as a whole', of('list'), [part('a', '1')], unknown, unknown],
  ])('%s', (_, its, prior, config, proposed) => {
    expect(proposedNew(its, object({ b: prior }), object({ b: config }))).toEqual(object({ b: proposed }))
  })

  test('with dynamic attributes carry the types of what they become', () => {
    const its = schema(
      [],
      [nestedBlock('b', 'list', [attribute('any', 'optional computed', dynamicType), attribute('key')])],
    )
    const config = new Typed(tupleType([objectType({ any: dynamicType, key: stringType })]), [
      object({ any: null, key: 'k' }),
    ])
    const one = Decimal.fromInteger(1)
    const prior = new Typed(tupleType([objectType({ any: numberType, key: stringType })]), [
      object({ any: one, key: 'j' }),
    ])
    const proposed = proposedNew(its, object({ b: prior }), object({ b: config })) as { readonly b: Value }
    const expected = new Typed(tupleType([objectType({ any: numberType, key: stringType })]), [
      object({ any: one, key: 'k' }),
    ])
    expect(equalValues(proposed.b, expected)).toBe(true)
  })

  test('elements of a set that differ in a set within them do not belong together', () => {
    const its = schema(
      [],
      [nestedBlock('b', 'set', [...inner, attribute('tags', 'optional computed', setType(stringType))])],
    )
    const prior = object({ key: 'a', made: '1', tags: ['x'] })
    const config = object({ key: 'a', made: null, tags: null })
    expect(proposedNew(its, object({ b: [prior] }), object({ b: [config] }))).toEqual(object({ b: [config] }))
  })
})

test('a data source that is read later is unknown where it is left open', () => {
  const its = schema(
    [name, id, attribute('tags', 'optional', mapType(stringType))],
    [nestedBlock('filter', 'list', [attribute('key'), attribute('found', 'computed')])],
  )
  const config = objectOf(its, { name: 'a', filter: [object({ key: 'k', found: null })] })
  const expected = objectOf(its, { name: 'a', id: unknown, filter: [object({ key: 'k', found: unknown })] })
  expect(plannedUnknownObject(its, config)).toEqual(expected)
})

test('shares unchanged values', () => {
  const its = schema(
    [name, attribute('list', 'optional', listType(stringType))],
    [nestedBlock('b', 'list', [name, id])],
  )
  const config = objectOf(its, { name: 'a', list: ['x'], b: [object({ name: 'b', id: null })] })
  expect(proposedNew(its, emptyBlock(its.block), config)).toBe(config)
  expect(proposedNew(its, null, config)).toBe(config)
})

function anyCase(part: 'config' | 'config with holes') {
  return anySchema().chain((its) =>
    fc.record({ its: fc.constant(its), prior: anyObject(its, 'state'), config: anyObject(its, part) }),
  )
}

test('proposing again what was proposed changes nothing', () => {
  fc.assert(
    fc.property(anyCase('config'), ({ its, prior, config }) => {
      const once = proposedNew(its, prior, config)
      expect(equalValues(proposedNew(its, once, config), once)).toBe(true)
    }),
  )
})

test('a proposed state is a valid plan', () => {
  fc.assert(
    fc.property(anyCase('config with holes'), ({ its, prior, config }) => {
      const planned = proposedNew(its, prior, config)
      expect(assertPlanValid(its, { prior, config, planned })).toEqual([])
    }),
  )
})
