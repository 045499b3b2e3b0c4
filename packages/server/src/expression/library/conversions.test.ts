import { expect, test } from 'vitest'
import { compileExpression } from '../expression.ts'
import { kubernetesEnvironment } from '../kubernetes-environment.ts'
import { Meter } from '../meter.ts'

test.each([
  ['int(42u)', 42n],
  ["int(timestamp('2009-02-13T23:31:30Z'))", 1_234_567_890n],
  ["string(timestamp('2009-02-13T23:31:30Z'))", '2009-02-13T23:31:30Z'],
  ["string(timestamp('2009-02-13T23:31:30.120Z'))", '2009-02-13T23:31:30.12Z'],
  ["string(timestamp('2010-10-10T10:10:10Z'))", '2010-10-10T10:10:10Z'],
  ["string(duration('90m'))", '5400s'],
  ["string(duration('-1500ms'))", '-1.5s'],
  ["timestamp(timestamp('2009-02-13T23:31:30Z')) == timestamp('2009-02-13T23:31:30Z')", true],
])('%s is %s', (text, expected) => {
  expect(compileExpression(text, kubernetesEnvironment()).evaluate({}, new Meter())).toEqual(expected)
})

test('what no int can hold is refused', () => {
  const expression = compileExpression('int(18446744073709551615u)', kubernetesEnvironment())
  expect(() => expression.evaluate({}, new Meter())).toThrow('integer overflow')
})
