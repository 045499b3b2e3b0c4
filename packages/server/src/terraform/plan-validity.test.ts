import type { Schema } from '@hykube/tfplugin/schema'
import { Decimal, listType, pathToText, stringType, unknown, type Value } from '@hykube/tfplugin/value'
import { expect, test } from 'vitest'
import { assertPlanValid } from './plan-validity.ts'
import { attribute, nestedAttribute, nestedBlock, object, schema } from './testing/schemas.ts'

const a = attribute('a')
const one = schema([a])
const made = schema([attribute('a', 'computed')])
const both = schema([attribute('a', 'optional computed')])
const secret = schema([attribute('a', 'optional sensitive')])
const wo = schema([attribute('a', 'optional writeOnly')])
const list = schema([], [nestedBlock('b', 'list', [a])])
const map = schema([], [nestedBlock('b', 'map', [a])])
const set = schema([], [nestedBlock('b', 'set', [a])])
const single = schema([], [nestedBlock('b', 'single', [a])])
const nested = (nesting: 'single' | 'list' | 'set' | 'map') =>
  schema([nestedAttribute('n', nesting, [a, attribute('m', 'computed')])])
const of = (value: Value) => object({ a: value })
const b = (value: Value) => object({ b: value })
const n = (value: Value) => object({ n: value })
const part = (value: Value, m: Value = null) => object({ a: value, m })

// [why, schema, prior, config, planned, where something is wrong]
test.each<[string, Schema, Value, Value, Value, string[]]>([
  ['as configured', one, null, of('x'), of('x'), []],
  ['not as configured', one, null, of('x'), of('y'), ['a']],
  ['as before, which means the same to the provider', one, of('X'), of('x'), of('X'), []],
  ['neither as configured nor as before', one, of('X'), of('x'), of('y'), ['a']],
  ['null before is no value to keep', one, of(null), of('x'), of(null), ['a']],
  ['a value that nobody configured', one, null, of(null), of('y'), ['a']],
  ['an unknown that nobody configured', one, null, of(null), of(unknown), ['a']],
  ['a computed value', made, null, of(null), of('y'), []],
  ['a computed value, unknown', both, of('x'), of(null), of(unknown), []],
  ['what is computed, against the configuration', both, null, of('x'), of(unknown), ['a']],
  ['only computed, with a configuration by ignore_changes', made, null, of('x'), of('y'), []],
  ['unknown as configured', one, null, of(unknown), of(unknown), []],
  ['write-only is null', wo, null, of('x'), of(null), []],
  ['write-only with another value', wo, null, of('x'), of('y'), ['a']],
  ['absent, but wanted', one, null, of('x'), null, ['']],
  ['present, but not wanted', one, null, null, of('x'), ['']],
  ['both absent', one, of('x'), null, null, []],
  ['a list of blocks of another length', list, null, b([of('x')]), b([]), ['b']],
  ['a list of blocks with another value', list, null, b([of('x')]), b([of('y')]), ['b[0].a']],
  ['null instead of no blocks', list, null, b([]), b(null), ['b']],
  ['unknown blocks', list, null, b([of('x')]), b(unknown), ['b']],
  ['an unknown block', list, null, b([of('x')]), b([unknown]), ['b[0]']],
  ['blocks for unknown blocks', list, null, b(unknown), b([of('x')]), ['b']],
  ['a null list from ignore_changes counts as none', list, null, b(null), b([]), []],
  ['blocks of a map under other keys', map, null, b(object({ x: of('x') })), b(object({ y: of('x') })), ['b', 'b']],
  [
    'a block of a map with another value',
    map,
    null,
    b(object({ x: of('x') })),
    b(object({ x: of('y') })),
    ['b["x"].a'],
  ],
  ['blocks of a set are trusted', set, null, b([of('x')]), b([of('y')]), []],
  ['but not unknown ones', set, null, b([of('x')]), b([unknown]), ['b[0]']],
  ['a single block that is not wanted', single, null, b(null), b(of('x')), ['b']],
  ['nested: computed parts', nested('single'), null, n(part('x')), n(part('x', 'm')), []],
  ['nested: other values', nested('single'), null, n(part('x')), n(part('y')), ['n.a']],
  ['nested: absent', nested('single'), null, n(part('x')), n(null), ['n']],
  ['nested: unknown', nested('list'), null, n([part('x')]), n(unknown), ['n']],
  ['nested: fewer', nested('list'), null, n([part('x')]), n([]), ['n']],
  ['nested: other keys', nested('map'), null, n(object({ x: part('x') })), n(object({ y: part('x') })), ['n', 'n']],
  ['nested: other elements of a set', nested('set'), null, n([part('x')]), n([part('y')]), []],
  ['nested: fewer elements of a set', nested('set'), null, n([part('x'), part('y')]), n([part('y')]), ['n']],
  ['nested: unknowns in a set may be equal', nested('set'), null, n([part('x')]), n([part(unknown), part('y')]), []],
])('%s', (_, its, prior, config, planned, places) => {
  const problems = assertPlanValid(its, { prior, config, planned })
  expect(problems.map(({ path }) => pathToText(path))).toEqual(places)
})

test('values are told, except where they are sensitive', () => {
  const [plain] = assertPlanValid(one, { prior: null, config: of('configured'), planned: of('planned') })
  expect(plain!.text).toContain('"planned"')
  const bySchema = assertPlanValid(secret, { prior: null, config: of('configured'), planned: of('planned') })
  const byOrigin = assertPlanValid(one, { prior: null, config: of('configured'), planned: of('planned') }, [
    [{ kind: 'attribute', name: 'a' }],
  ])
  for (const { text } of [...bySchema, ...byOrigin]) expect(text).not.toMatch(/"planned"|"configured"/)
})

test('long lists are told by their length', () => {
  const its = schema([attribute('a', 'optional', listType(stringType)), attribute('c', 'optional')])
  const [problem] = assertPlanValid(its, {
    prior: null,
    config: object({ a: ['x'], c: Decimal.fromInteger(1) }),
    planned: object({ a: ['x', 'y'], c: Decimal.fromInteger(1) }),
  })
  expect(problem!.text).toContain('2 elements')
})
