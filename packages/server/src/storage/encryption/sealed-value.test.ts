import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DataKey, openValue, sealedOverhead, sealedWith, sealValue } from './sealed-value.ts'
import { failureOf } from './testing/failure-of.ts'

const dataKey: DataKey = { id: 0xfedcba98, bytes: randomBytes(32) }
const bytes = fc.uint8Array({ maxLength: 300 })
const revision = fc.maxSafeNat()

describe('a sealed value', () => {
  it('opens to the sealed bytes and names its data key', () => {
    fc.assert(
      fc.property(bytes, revision, bytes, (key, at, plain) => {
        const sealed = sealValue(dataKey, key, at, plain)
        expect(sealed.length).toBe(plain.length + sealedOverhead)
        expect(sealedWith(sealed)).toBe(dataKey.id)
        expect(Buffer.compare(openValue(dataKey, key, at, sealed), plain)).toBe(0)
      }),
    )
  })

  it('does not open after any byte was changed', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (key, plain, place, flip) => {
        const sealed = sealValue(dataKey, key, 7, plain)
        sealed[place % sealed.length]! ^= flip
        expect(failureOf(() => openValue(dataKey, key, 7, sealed))).toBe('corrupt')
      }),
    )
  })

  it.each([
    ['another key', (sealed: Uint8Array) => openValue(dataKey, Buffer.from('b'), 7, sealed)],
    ['another revision', (sealed: Uint8Array) => openValue(dataKey, Buffer.from('a'), 8, sealed)],
    [
      'another data key',
      (sealed: Uint8Array) => openValue({ ...dataKey, bytes: randomBytes(32) }, Buffer.from('a'), 7, sealed),
    ],
    ['a truncated end', (sealed: Uint8Array) => openValue(dataKey, Buffer.from('a'), 7, sealed.subarray(0, -1))],
  ])('does not open with %s', (_, attempt) => {
    const sealed = sealValue(dataKey, Buffer.from('a'), 7, Buffer.from('value'))
    expect(failureOf(() => attempt(sealed))).toBe('corrupt')
  })

  it('is never equal twice and does not contain the plain bytes', () => {
    const plain = Buffer.from('planted-secret')
    const sealed = [1, 2].map(() => Buffer.from(sealValue(dataKey, Buffer.from('a'), 7, plain)))
    expect(sealed[0]!.equals(sealed[1]!)).toBe(false)
    expect(sealed[0]!.includes(plain)).toBe(false)
  })

  it('is distinguished from bytes that were never sealed', () => {
    expect(sealedWith(Buffer.from('{"kind":"Secret"}'))).toBeUndefined()
    expect(sealedWith(Buffer.alloc(0))).toBeUndefined()
  })
})
