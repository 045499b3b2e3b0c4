import type { JsonObject } from '@hykube/machinery/json'
import { applyMergePatch } from '@hykube/machinery/patch'
import { expect, test } from 'vitest'
import { patchedText } from './patched-text.ts'

test('sorts the fields of changed objects and keeps the order of others', () => {
  const object: JsonObject = { kind: 'A', spec: { b: 1, a: { d: 1, c: 2 } }, metadata: { name: 'x', labels: {} } }
  const patched = applyMergePatch(object, { spec: { aa: { z: 1, y: 2 }, b: 'x' } })
  expect(patchedText(object, patched)).toBe(
    '{"kind":"A","metadata":{"name":"x","labels":{}},"spec":{"a":{"d":1,"c":2},"aa":{"z":1,"y":2},"b":"x"}}',
  )
})

test('truncates long text', () => {
  expect(patchedText({}, { text: 'x'.repeat(100_000) }).length).toBeLessThan(20_000)
})
