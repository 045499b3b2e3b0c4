import type { JsonObject } from '@hykube/machinery/json'
import { applyMergePatch } from '@hykube/machinery/patch'
import { expect, test } from 'vitest'
import { patchedText } from './patched-text.ts'

test('what a patch went through is in order, what it left alone is as it was', () => {
  const object: JsonObject = { kind: 'A', spec: { b: 1, a: { d: 1, c: 2 } }, metadata: { name: 'x', labels: {} } }
  const patched = applyMergePatch(object, { spec: { aa: { z: 1, y: 2 }, b: 'x' } })
  expect(patchedText(object, patched)).toBe(
    '{"kind":"A","metadata":{"name":"x","labels":{}},"spec":{"a":{"d":1,"c":2},"aa":{"z":1,"y":2},"b":"x"}}',
  )
})

test('what is long is cut', () => {
  expect(patchedText({}, { text: 'x'.repeat(100_000) }).length).toBeLessThan(20_000)
})
