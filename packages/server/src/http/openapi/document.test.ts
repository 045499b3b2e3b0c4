import { expect, test } from 'vitest'
import { entries, fields, jsonDocument, value } from './document.ts'

test('a document is encoded as the JSON of its parts', async () => {
  const part = fields({
    version: value('3'),
    none: entries([]),
    nested: fields({ some: entries([['a"b', { c: 1 }] as const, ['d', [true]] as const]), text: value('ü') }),
  })
  expect(JSON.parse((await jsonDocument(part)).toString())).toEqual({
    version: '3',
    none: {},
    nested: { some: { 'a"b': { c: 1 }, d: [true] }, text: 'ü' },
  })
})

test('other work runs while a long document is encoded', async () => {
  let others = 0
  let made = false
  const other = () => {
    others++
    if (!made) setImmediate(other)
  }
  setImmediate(other)
  await jsonDocument(entries(slowEntries(5)))
  made = true
  expect(others).toBeGreaterThanOrEqual(4)
})

// Each entry takes longer than a slice.
function* slowEntries(count: number): Generator<[string, number]> {
  for (let at = 0; at < count; at++) {
    const until = performance.now() + 6
    while (performance.now() < until);
    yield [String(at), at]
  }
}
