import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  equalValues,
  type Type,
  typeToJson,
  type Value,
  valueFromJson,
  valueFromMsgpack,
  valueToMsgpack,
} from '@hykube/tfplugin/value'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyTypedValue } from '../../../packages/tfplugin/src/value/testing/index.ts'
import { describeWith } from '../../real-parts/index.ts'

interface Answer {
  readonly msgpack?: string
  readonly json?: string
  readonly error?: string
}

describeWith(['go-cty'], 'go-cty as the referee of values', (program) => {
  test('still writes the vectors that are checked in', () => {
    const file = join(import.meta.dirname, '../../fixtures/go-cty/vectors.json')
    const written = execFileSync(program, ['vectors'], { encoding: 'utf8', maxBuffer: 1 << 26 })
    expect(JSON.parse(written)).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  })

  test('reads what we write, whatever it is, and we read what it then writes', () => {
    const samples = fc.sample(anyTypedValue(true), 2000)
    const answers = judged(program, samples)
    samples.forEach(({ type, value }, index) => {
      const answer = answers[index]!
      expect(answer.error, typeToJson(type)).toBeUndefined()
      const theirs = Uint8Array.fromHex(answer.msgpack!)
      const back = valueFromMsgpack(theirs, type)
      expect(equalValues(back, value), `${typeToJson(type)} ${answer.msgpack}`).toBe(true)
    })
  })

  test('means the same by its JSON', () => {
    const samples = fc.sample(anyTypedValue(false), 1000)
    const answers = judged(program, samples)
    samples.forEach(({ type, value }, index) => {
      const text = answers[index]!.json!
      expect(equalValues(valueFromJson(text, type), value), text).toBe(true)
    })
  })
})

function judged(program: string, samples: readonly { readonly type: Type; readonly value: Value }[]): Answer[] {
  const lines = samples.map(({ type, value }) => {
    const msgpack = valueToMsgpack(value, type).toHex()
    return `{"type":${typeToJson(type)},"msgpack":"${msgpack}"}`
  })
  const output = execFileSync(program, ['check'], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer)
}
