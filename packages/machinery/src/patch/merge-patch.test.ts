import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../json/index.ts'
import { applyMergePatch } from './merge-patch.ts'

describe('a merge patch', () => {
  // The examples of RFC 7386 whose document is an object, and the deviations of kube-apiserver.
  const cases: readonly [document: JsonObject, patch: JsonObject, expected: JsonObject][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ a: 'foo' }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    [{}, { a: [null, { b: null }] }, { a: [null, {}] }],
    [{ a: {} }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  ]
  it.each(cases)('%j with %j is %j', (document, patch, expected) => {
    expect(applyMergePatch(document, patch)).toEqual(expected)
  })

  it.each([null, [], 'x', 1])('rejects %j', (patch) => {
    expect(() => applyMergePatch({}, patch as JsonValue)).toThrow('into Go value of type map[string]interface {}')
  })

  it('shares unchanged values, and returns the same document when nothing changes', () => {
    const document = { a: { x: 1 }, b: { y: 2 } }
    expect(applyMergePatch(document, { a: { x: 1 }, c: null })).toBe(document)
    expect(applyMergePatch(document, { a: { x: 2 } }).b).toBe(document.b)
  })

  it('treats __proto__ as an ordinary key', () => {
    const patch = JSON.parse('{"a":{"__proto__":{"admin":true}}}') as JsonObject
    const merged = applyMergePatch({ a: {} }, patch)
    expect((merged.a as JsonObject).admin).toBeUndefined()
    expect(JSON.stringify(merged)).toBe('{"a":{"__proto__":{"admin":true}}}')
  })

  it('is idempotent once lists have no nulls', () => {
    const object = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.jsonValue({ maxDepth: 3 }),
    ) as fc.Arbitrary<JsonObject>
    fc.assert(
      fc.property(object, object, (document, patch) => {
        const before = JSON.stringify([document, patch])
        const twice = applyMergePatch(applyMergePatch(document, patch), patch)
        expect(applyMergePatch(twice, patch)).toEqual(twice)
        expect(JSON.stringify([document, patch])).toBe(before)
      }),
    )
  })
})
