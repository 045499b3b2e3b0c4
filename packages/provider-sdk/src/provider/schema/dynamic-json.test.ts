import { Typed } from '@hykube/tfplugin/value'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dynamicFromJson, dynamicToJson } from './dynamic-json.ts'

test('JSON round-trips', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (given) => {
      const text = JSON.stringify(given).normalize('NFC')
      expect(JSON.parse(dynamicToJson(dynamicFromJson(text)))).toEqual(JSON.parse(text.replaceAll('-0,', '0,')))
    }),
    { numRuns: 200, examples: [[null], [{ a: [1, 'x', null, { b: [] }] }]] },
  )
})

test('numbers keep their digits', () => {
  expect(dynamicToJson(dynamicFromJson('{"n":12345678901234567890.25}'))).toBe('{"n":12345678901234567890.25}')
})

test('a value has the type of the JSON text', () => {
  const value = dynamicFromJson('{"list":[1,"a"]}')
  expect(value).toBeInstanceOf(Typed)
  expect((value as Typed).type.kind).toBe('object')
  expect(dynamicFromJson('null')).toBeNull()
})
