import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HashedStringSet } from './hashed-string-set.ts'

test('has exactly the strings that were added', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (added, others) => {
      const texts = new HashedStringSet()
      for (const text of added) texts.add(text)
      const known = new Set(added)
      expect(texts.size).toBe(known.size)
      for (const text of [...added, ...others]) expect(texts.has(text)).toBe(known.has(text))
    }),
  )
})

test('distinguishes 100,000 names that differ in one digit', () => {
  const texts = new HashedStringSet()
  for (let index = 0; index < 100_000; index++) texts.add(`sim.hykube.io/sim-nulls/default/n${index}`)
  expect(texts.size).toBe(100_000)
  expect(texts.has('sim.hykube.io/sim-nulls/default/n99999')).toBe(true)
  expect(texts.has('sim.hykube.io/sim-nulls/default/n100000')).toBe(false)
})
