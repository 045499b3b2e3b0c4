import {
  boolType,
  Decimal,
  listType,
  mapType,
  numberType,
  setType,
  stringType,
  type Type,
  unknown,
  type Value,
} from '@hykube/tfplugin/value'
import { describe, expect, test } from 'vitest'
import type { PlannedInstance } from './calls/planned-instance.ts'
import { appliedWithDrift, driftedAttributes } from './drift.ts'
import { attribute, nestedBlock, object, schema } from './testing/schemas.ts'

const thing = schema(
  [
    attribute('name', 'required'),
    attribute('text'),
    attribute('count', 'optional', numberType),
    attribute('flag', 'optional', boolType),
    attribute('tags', 'optional', mapType(stringType)),
    attribute('names', 'optional', listType(stringType)),
    attribute('ports', 'optional', setType(numberType)),
    attribute('zone', 'optional computed'),
  ],
  [nestedBlock('rule', 'set', [attribute('port', 'required', numberType), attribute('note')])],
)
const nothing = {
  name: 'n',
  text: null,
  count: null,
  flag: null,
  tags: null,
  names: null,
  ports: null,
  zone: null,
  rule: [],
}
const of = (given: Readonly<Record<string, Value>> = {}) => object({ ...nothing, ...given })
const number = (value: number) => Decimal.fromInteger(value)
const rule = (port: number, note: Value) => object({ port: number(port), note })

const planned = (after: Value, legacy = true): PlannedInstance => ({
  kind: 'planned',
  action: 'update',
  before: null,
  after,
  plannedPrivate: new Uint8Array(0),
  requiredReplace: [],
  beforeSensitive: [],
  afterSensitive: [],
  diagnostics: [],
  notes: [],
  ...(legacy && { legacy: true }),
})

describe('drift of an instance', () => {
  // The configuration is what was applied, so the plan returns to it.
  const judge = (applied: Value, seen: Value, legacy: boolean) =>
    driftedAttributes(thing.block, { applied, seen, config: applied, planned: planned(applied, legacy) })

  test.each<[string, Value, Value]>([
    ['an empty text', of(), of({ text: '' })],
    ['zero', of(), of({ count: number(0) })],
    ['false', of({ flag: false }), of()],
    ['empty collections', of(), of({ tags: object({}), names: [], ports: [] })],
    ['a null inside of a set', of({ rule: [rule(1, null), rule(2, 'x')] }), of({ rule: [rule(1, ''), rule(2, 'x')] })],
    ['a null inside of a list', of({ names: ['a', null] }), of({ names: ['a', ''] })],
  ])('%s in place of null counts only outside of the legacy type system', (_, applied, seen) => {
    expect(judge(applied, seen, true)).toEqual([])
    expect(judge(applied, seen, false)).not.toEqual([])
  })

  test.each<[string, Value, Value, string[]]>([
    ['a text', of({ text: 'a' }), of({ text: '' }), ['text']],
    ['a key of a map', of({ tags: object({}) }), of({ tags: object({ a: '' }) }), ['tags']],
    ['an element', of({ names: ['a'] }), of({ names: ['a', ''] }), ['names']],
    ['a block', of({ rule: [rule(1, null)] }), of({ rule: [] }), ['rule']],
    ['two attributes', of({ text: 'a', flag: true }), of({ text: 'b' }), ['flag', 'text']],
  ])('a change of %s counts in the legacy type system too', (_, applied, seen, names) => {
    expect(judge(applied, seen, true)).toEqual(names)
  })

  test('a difference that the plan leaves alone does not count', () => {
    const [applied, seen] = [of({ text: '{"a": 1}', zone: 'a' }), of({ text: '{"a":1}', zone: 'b' })]
    expect(driftedAttributes(thing.block, { applied, seen, config: applied, planned: planned(seen) })).toEqual([])
  })

  test('a pending edit of another attribute does not count', () => {
    const [applied, seen, config] = [of({ text: 'a' }), of({ text: 'a', tags: object({}) }), of({ text: 'b' })]
    expect(driftedAttributes(thing.block, { applied, seen, config, planned: planned(config) })).toEqual([])
  })

  test('an unknown value that the configuration leaves open does not count', () => {
    const [applied, seen] = [of({ zone: 'a' }), of({ zone: 'b' })]
    const after = planned(of({ zone: unknown }))
    expect(driftedAttributes(thing.block, { applied, seen, config: of(), planned: after })).toEqual([])
    expect(driftedAttributes(thing.block, { applied, seen, config: of({ zone: 'a' }), planned: after })).toEqual([
      'zone',
    ])
  })

  test('every difference but null and zero values counts when the provider can not plan', () => {
    const failed: PlannedInstance = { kind: 'failed', diagnostics: [], notes: [] }
    const differs = { applied: of(), seen: of({ text: '', zone: 'b' }), config: of(), planned: failed }
    expect(driftedAttributes(thing.block, differs)).toEqual(['zone'])
  })

  test('the shown difference leaves other differences out', () => {
    const [applied, seen] = [of({ text: 'a' }), of({ text: 'b', tags: object({}) })]
    expect(appliedWithDrift(applied, seen, ['text'])).toEqual(of({ text: 'a', tags: object({}) }))
  })

  test('a type without legacy values is compared exactly', () => {
    const dynamic: Type = { kind: 'dynamic' }
    const any = schema([attribute('any', 'optional', dynamic)])
    const [applied, seen] = [object({ any: null }), object({ any: 'x' })]
    expect(driftedAttributes(any.block, { applied, seen, config: applied, planned: planned(applied) })).toEqual(['any'])
  })
})
