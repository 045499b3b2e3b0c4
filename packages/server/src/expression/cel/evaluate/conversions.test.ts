import { expect, test } from 'vitest'
import { compileExpression } from '../../expression.ts'
import { Meter } from '../../meter.ts'

function evaluated(text: string): unknown {
  return compileExpression(text, {}).evaluate({}, new Meter())
}

test.each([
  ['int(42u)', 42n],
  ['int(-1.9)', -1n],
  ["int(timestamp('2009-02-13T23:31:30Z'))", 1_234_567_890n],
  ["string(timestamp('2009-02-13T23:31:30.120Z'))", '2009-02-13T23:31:30.12Z'],
  ["string(timestamp('0001-01-01T00:00:00.000000001Z'))", '0001-01-01T00:00:00.000000001Z'],
  ["string(timestamp('2010-10-10T10:10:10+02:00'))", '2010-10-10T08:10:10Z'],
  ["string(duration('90m'))", '5400s'],
  ["string(duration('-1500ms'))", '-1.5s'],
  ["string(b'\\303\\277')", 'ÿ'],
  ['string(1e21)', '1e+21'],
  ['string(0.1 + 0.2)', '0.30000000000000004'],
  ["timestamp(timestamp('2009-02-13T23:31:30Z')) == timestamp('2009-02-13T23:31:30Z')", true],
  ["timestamp('2023-12-25T00:00:00Z').getDayOfMonth('Australia/Sydney')", 24n],
  ["timestamp('2023-12-25T00:00:00Z').getHours('-02:30')", 21n],
])('%s is %s', (text, expected) => {
  expect(evaluated(text)).toEqual(expected)
})

test.each([
  ['int(18446744073709551615u)', 'integer overflow'],
  ['int(1e99)', 'integer overflow'],
  ["int('x')", "type conversion error from 'string' to 'int'"],
  ["bool('maybe')", "type conversion error from 'string' to 'bool'"],
  ["string(b'\\377')", 'invalid UTF-8'],
  ["timestamp('9999-12-31T23:59:59Z') + duration('1s')", 'timestamp overflow'],
  ['9223372036854775807 + 1', 'integer overflow'],
  ['-(-9223372036854775808)', 'integer overflow'],
  ['1 / 0', 'division by zero'],
])('%s fails: %s', (text, words) => {
  expect(() => evaluated(text)).toThrow(words)
})
