import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeKey, type Key } from '../../key.ts'
import { WrittenKeys } from './written-keys.ts'

const space = { name: 'space', segments: 1, history: false }
const written = (key: Key, revision: number) => ({ key, space, revision, tag: 0, size: 1, deleted: false })

test('keeps the last effect on each key', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 }), (names) => {
      const keys = new WrittenKeys()
      const model = new Map<string, number>()
      for (const [revision, name] of names.entries()) {
        expect(keys.get(encodeKey('space', [name]))?.revision).toBe(model.get(name))
        keys.set(written(encodeKey('space', [name]), revision))
        model.set(name, revision)
      }
      expect([...keys.values()].map(({ revision }) => revision).sort()).toEqual([...model.values()].sort())
      keys.clear()
      expect([...keys.values()]).toEqual([])
    }),
  )
})

test('distinguishes keys with the same hash', () => {
  // Two texts with the same FNV-1a hash.
  const [one, other] = ['costarring', 'liquid'].map((text) => Buffer.from(text) as unknown as Key)
  const keys = new WrittenKeys()
  keys.set(written(one!, 1))
  expect(keys.get(other!)).toBeUndefined()
  keys.set(written(other!, 2))
  keys.set(written(one!, 3))
  expect([keys.get(one!)?.revision, keys.get(other!)?.revision]).toEqual([3, 2])
  expect([...keys.values()]).toHaveLength(2)
})
