import { describe, expect, test } from 'vitest'
import { compileExpression } from '../../expression.ts'
import { Meter } from '../../meter.ts'
import { dynType, intType, listType, mapType, stringType } from '../check/types.ts'
import { EvaluationFailure } from './values.ts'

const variables = { n: intType, l: listType(intType), s: stringType, m: mapType(stringType, stringType), d: dynType }
const values = { n: 3n, l: [1n, 2n, 3n], s: 'abcdefghijklmnopqrst', m: new Map([['a', 'x']]), d: 'text' }

function costOf(text: string): number {
  const meter = new Meter()
  const before = meter.remaining
  compileExpression(text, variables).evaluate(values, meter)
  return before - meter.remaining
}

describe('the cost of an evaluation', () => {
  test.each([
    ['true', 0],
    ['n', 1],
    ['n + 1', 2],
    ['n == 3', 2],
    ['has(m.a)', 1],
    ['m.a', 2],
    ['m["a"]', 2],
    ['l[0] == 1', 3],
    ['n == 1 && s == "x"', 2],
    ['true || n == 1', 0],
    ['s == "abc"', 2],
    ['s.contains("bcd")', 3],
    ['s.startsWith("abc")', 3],
    ['s.matches("^[a-z]+$")', 1 + 3 * 2],
    ['n in [1, 2, 3]', 1],
    ['n in l', 2 + 3],
    ['[n, n].size() == 2', 2 + 10 + 1 + 1],
    ['l.all(x, x > 0)', 1 + 3 * (2 + 1 + 2) + 1],
    ['l.exists(x, x == 1)', 1 + (3 + 1 + 2) + 3 + 1],
    ['l.map(x, x)', 1 + 10 + 3 * (1 + 1 + 10 + 1) + 1],
    ['duration("1h") > duration("1m")', 1],
  ])('%s: %i', (text, cost) => {
    expect(costOf(text)).toBe(cost)
  })
})

describe('failures', () => {
  const failureOf = (text: string): string => {
    try {
      compileExpression(text, variables).evaluate(values, new Meter())
      return ''
    } catch (error) {
      if (error instanceof EvaluationFailure) return error.message
      throw error
    }
  }

  test.each([
    ['m.zz == "a"', 'no such key: zz'],
    ['l[9] == 1', 'index out of bounds: 9'],
    ['d + 1 == 2', 'no such overload'],
    ['size(dyn(1)) == 1', 'no such overload: size'],
    ['optional.none().value() == 1', 'optional.none() dereference'],
    ['[].max() == 1', 'max called on empty list'],
    ['{"a": 1, "a": 2}.size() == 1', 'Failed with repeated key: a'],
  ])('%s: %s', (text, message) => {
    expect(failureOf(text)).toBe(message)
  })

  test.each(['l[9] == 1 || true', 'true || l[9] == 1', 'l.exists(x, l[x] == 3)', '!(false && l[9] == 1)'])(
    '%s: the other side decides',
    (text) => {
      expect(failureOf(text)).toBe('')
    },
  )
})
