import type { JsonObject, JsonValue } from '@hykube/machinery/json'
import {
  attributeStep,
  Decimal,
  numberType,
  pathToText,
  Typed,
  unknown,
  type Value,
  valueObject,
} from '@hykube/tfplugin/value'
import { describe, expect, test } from 'vitest'
import { Meter } from '../../meter.ts'
import { TableScope } from '../testing/table-scope.ts'
import { type ExpansionResult, expansionOf } from './expansion.ts'

const decimal = (text: string | number) => Decimal.parse(String(text))!
const scope = new TableScope({
  'sim.a': {
    value: valueObject({
      n: decimal(3),
      later: unknown,
      none: null,
      list: ['b', 'a', 'b'],
      mixed: ['b', unknown],
      map: valueObject({ b: decimal(1), a: unknown }),
      secret: decimal(2),
      secrets: ['x'],
      numbers: [decimal(1)],
    }),
    sensitive: [[attributeStep('secret')], [attributeStep('secrets')]],
  },
})

function expand(spec: JsonObject, limit?: number): ExpansionResult {
  const expansion = expansionOf(spec)
  if (!('evaluate' in expansion)) throw new Error(`this is ${expansion.kind}`)
  return expansion.evaluate(scope, new Meter(), limit)
}

function keysOf(result: ExpansionResult): [string, Value][] {
  if (result.kind !== 'for_each') throw new Error(JSON.stringify(result))
  return [...result.entries].map(([key, { value }]) => [key, value instanceof Typed ? value.value : value])
}

describe('count', () => {
  test.each<[JsonValue, number]>([
    [0, 0],
    [10000, 10000],
    ['3', 3],
    ['${sim.a.n}', 3],
    ['${size(sim.a.list) * 2}', 6],
    ['${size(sim.a.mixed)}', 2],
  ])('%j', (count, expected) => {
    expect(expand({ count })).toEqual({ kind: 'count', count: expected })
  })

  test('defers the resource if it is unknown', () => {
    expect(expand({ count: '${sim.a.later}' })).toEqual({ kind: 'unknown' })
  })

  test.each<[JsonValue, string]>([
    [-1, 'negative'],
    [1.5, 'whole number'],
    [11, 'the limit of 10'],
    ['${sim.a.none}', 'null'],
    ['${sim.a.secret}', 'sensitive'],
    ['${sim.nope.n}', 'no such object'],
    ['${sim.a.list}', 'number is expected'],
  ])('%j is refused', (count, problem) => {
    const result = expand({ count }, 10)
    if (result.kind !== 'refused') throw new Error(result.kind)
    expect(result.problem.message).toContain(problem)
    expect(pathToText(result.problem.path)).toBe('count')
  })
})

describe('for_each', () => {
  test.each<[JsonValue, [string, unknown][]]>([
    [
      { b: 1, a: { x: ['y'] } },
      [
        ['a', valueObject({ x: ['y'] })],
        ['b', decimal(1)],
      ],
    ],
    [{ b: '${sim.a.later}' }, [['b', unknown]]],
    [{ b: { c: '${sim.a.n}' } }, [['b', valueObject({ c: decimal(3) })]]],
    [
      ['b', 'a', 'b'],
      [
        ['a', 'a'],
        ['b', 'b'],
      ],
    ],
    [['${sim.a.list[0]}c'], [['bc', 'bc']]],
    [
      '${sim.a.list}',
      [
        ['a', 'a'],
        ['b', 'b'],
      ],
    ],
    [
      '${sim.a.map}',
      [
        ['a', unknown],
        ['b', decimal(1)],
      ],
    ],
    ['${{"x": 1}}', [['x', decimal(1)]]],
    [{}, []],
    [[], []],
  ])('%j', (forEach, entries) => {
    expect(keysOf(expand({ for_each: forEach }))).toEqual(entries)
  })

  test('keeps the type and sensitivity of each value', () => {
    const result = expand({ for_each: { a: 1, b: '${sim.a.secret}' } })
    if (result.kind !== 'for_each') throw new Error(result.kind)
    expect(result.entries.get('a')).toEqual({ value: new Typed(numberType, decimal(1)), sensitive: false })
    expect(result.entries.get('b')?.sensitive).toBe(true)
  })

  test.each(['${sim.a.later}', '${sim.a.mixed}', '${{"a": 1, sim.a.later: 2}}'])(
    '%s defers the resource',
    (forEach) => {
      expect(expand({ for_each: forEach })).toEqual({ kind: 'unknown' })
    },
  )

  test('defers the resource if a key is unknown', () => {
    expect(expand({ for_each: ['a', '${sim.a.later}'] })).toEqual({ kind: 'unknown' })
  })

  test.each<[JsonValue, string]>([
    ['${sim.a.none}', 'not null'],
    ['${sim.a.n}', 'not a number'],
    ['${sim.a.numbers}', 'must contain strings, not a number'],
    [['a', null], 'must contain strings, not null'],
    ['${sim.a.secrets}', 'sensitive'],
    ['${{"a": sim.a.secret}}', 'sensitive'],
    [['${sim.a.secrets[0]}'], 'sensitive'],
    [{ a: '${sim.nope.n}' }, 'no such object'],
    [Object.fromEntries([...'abcdefghijk'].map((key) => [key, 1])), 'the limit of 10'],
    ['abc', 'not a string'],
  ])('%j is refused', (forEach, problem) => {
    const result = expand({ for_each: forEach }, 10)
    if (result.kind !== 'refused') throw new Error(result.kind)
    expect(result.problem.message).toContain(problem)
  })
})

describe('a spec', () => {
  test('without either has one instance', () => {
    expect(expansionOf({})).toEqual({ kind: 'single' })
    expect(expansionOf({ count: null })).toEqual({ kind: 'single' })
  })

  test.each<[JsonObject, string, string]>([
    [{ count: 1, for_each: [] }, 'for_each', "count and for_each can't be combined"],
    [{ count: [1] }, 'count', 'number is expected'],
    [{ for_each: 5 }, 'for_each', 'not a number'],
    [{ for_each: [['a']] }, 'for_each[0]', 'string is expected'],
    [{ count: '${count.index}' }, 'count', "can't refer to each or count"],
    [{ for_each: '${each.value}' }, 'for_each', "can't refer to each or count"],
    [{ count: '${sim.a.' }, 'count', 'is not terminated'],
  ])('%j is invalid', (spec, path, problem) => {
    const expansion = expansionOf(spec)
    if (expansion.kind !== 'invalid') throw new Error(expansion.kind)
    expect(expansion.problems[0]?.message).toContain(problem)
    expect(pathToText(expansion.problems[0]!.path)).toBe(path)
  })
})
