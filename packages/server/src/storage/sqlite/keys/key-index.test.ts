import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareKeys, encodeKey } from '../../key.ts'
import { createNumbers } from '../../testing/shorthand.ts'
import { KeyIndex } from './key-index.ts'

const keyOf = (name: string) => encodeKey('space', ['common-prefix', name])

describe('KeyIndex', () => {
  test('finds, counts and walks like a sorted list, through splits and merges', () => {
    const index = new KeyIndex()
    const model = new Map<string, boolean>()
    const numbers = createNumbers(1)
    for (let step = 0; step < 60_000; step++) {
      const name = Math.floor(numbers() * 9000).toString(7)
      const key = keyOf(name)
      const slot = index.locate(key)
      expect(slot >= 0).toBe(model.has(name))
      const growing = step < 30_000 ? 0.7 : 0.3
      if (numbers() < growing) {
        const deleted = numbers() < 0.2
        index.write(slot, key, step, 0, 1, deleted)
        model.set(name, deleted)
      } else {
        index.remove(key)
        model.delete(name)
      }
    }
    expectSame(index, model)
  })

  test('finds keys in ascending and descending order among several spaces', () => {
    const index = new KeyIndex()
    const model = new Set<string>()
    const numbers = createNumbers(2)
    const text = (space: string, at: number) => `${space}/${String(at).padStart(6, '0')}`
    const cursors = new Map(['state', 'journal', 'outcomes', 'stated'].map((space) => [space, 10_000]))
    for (let step = 0; step < 60_000; step++) {
      const [space, at] = [...cursors][Math.floor(numbers() * cursors.size)]!
      cursors.set(space, numbers() < 0.02 ? Math.floor(numbers() * 20_000) : at + Math.floor(numbers() * 5) - 1)
      const key = encodeKey(space, [String(at).padStart(6, '0')])
      const slot = index.locate(key)
      expect(slot >= 0).toBe(model.has(text(space, at)))
      if (numbers() < 0.7) {
        index.write(slot, key, step, 0, 1, false)
        model.add(text(space, at))
      } else {
        index.remove(key)
        model.delete(text(space, at))
      }
    }
    expect(index.live).toBe(model.size)
  })

  test('loads and sorts keys of any order and length', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\0', 'é'), maxLength: 12 }), {
          maxLength: 300,
        }),
        (names) => {
          const index = new KeyIndex()
          const slots = names.map((name) => index.slots.add(keyOf(name)))
          for (const slot of slots) index.slots.set(slot, 1, 0, 1, false)
          index.load(Uint32Array.from(slots))
          expectSame(index, new Map(names.map((name) => [name, false])))
        },
      ),
    )
  })

  test('can be written after it was loaded', () => {
    const index = new KeyIndex()
    const names = Array.from({ length: 5000 }, (_, at) => (at * 7919).toString(36))
    index.load(Uint32Array.from(names.map((name) => index.slots.add(keyOf(name)))))
    for (let at = 0; at < 5000; at++) index.write(index.locate(keyOf(`x${at}`)), keyOf(`x${at}`), 1, 0, 1, false)
    const all = [...names, ...Array.from({ length: 5000 }, (_, at) => `x${at}`)]
    expectSame(index, new Map(all.map((name) => [name, false])))
  })

  test('reuses the memory of removed keys', () => {
    const index = new KeyIndex()
    for (let at = 0; at < 50_000; at++) {
      const key = keyOf(String(at % 1000).padStart(20, '0'))
      index.write(index.locate(key), key, at, 0, 1, false)
      index.remove(key)
    }
    expect(index.live).toBe(0)
    expect(index.bytes).toBeLessThan(2_000_000)
  })
})

function expectSame(index: KeyIndex, model: ReadonlyMap<string, boolean>): void {
  const sorted = [...model.keys()].map((name) => ({ name, key: keyOf(name) })).sort((a, b) => compareKeys(a.key, b.key))
  const walked: string[] = []
  const whole = { lower: new Uint8Array(), upper: Uint8Array.of(0xff) }
  index.walk(whole, (slot) => {
    walked.push(Buffer.from(index.slots.keyOf(slot)).toString('hex'))
    return true
  })
  expect(walked).toEqual(sorted.map(({ key }) => Buffer.from(key).toString('hex')))
  const present = [...model.values()].filter((deleted) => !deleted).length
  expect(index.live).toBe(present)
  expect(index.count(whole)).toBe(present)
  for (let at = 0; at + 10 < sorted.length; at += Math.ceil(sorted.length / 20)) {
    const span = { lower: sorted[at]!.key, upper: sorted[Math.min(sorted.length - 1, at * 2 + 7)]!.key }
    const inside = sorted.filter(({ key }) => compareKeys(key, span.lower) >= 0 && compareKeys(key, span.upper) < 0)
    expect(index.count(span)).toBe(inside.filter(({ name }) => !model.get(name)).length)
    expect(Buffer.from(index.first(span.lower)!)).toEqual(Buffer.from(span.lower))
  }
}
