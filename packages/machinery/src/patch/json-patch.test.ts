import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../json/index.ts'
import { StatusError } from '../status/index.ts'
import { applyJsonPatch, maximumJsonPatchOperations } from './json-patch.ts'

describe('a JSON patch', () => {
  const cases: readonly [why: string, document: JsonValue, patch: JsonValue, expected: JsonValue][] = [
    ['adds a field', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['adds over a field', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    ['adds into a list', [1, 3], [{ op: 'add', path: '/1', value: 2 }], [1, 2, 3]],
    ['adds at the end of a list', [1], [{ op: 'add', path: '/-', value: 2 }], [1, 2]],
    ['adds before the end of a list', [1, 3], [{ op: 'add', path: '/-2', value: 2 }], [1, 2, 3]],
    ['adds null', {}, [{ op: 'add', path: '/a', value: null }], { a: null }],
    ['replaces the document', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
    ['removes a field', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['removes from a list', [1, 2, 3], [{ op: 'remove', path: '/-1' }], [1, 2]],
    ['replaces a field', { a: { b: 1 } }, [{ op: 'replace', path: '/a/b', value: 2 }], { a: { b: 2 } }],
    ['replaces a field that is not there', {}, [{ op: 'replace', path: '/a', value: 1 }], { a: 1 }],
    ['moves a field', { a: 1 }, [{ op: 'move', from: '/a', path: '/b' }], { b: 1 }],
    ['moves within a list', [1, 2, 3], [{ op: 'move', from: '/0', path: '/2' }], [2, 3, 1]],
    ['copies a field', { a: [1] }, [{ op: 'copy', from: '/a', path: '/b' }], { a: [1], b: [1] }],
    [
      'tests by value',
      { a: { b: 1, c: 2 } },
      [{ op: 'test', path: '/a', value: { c: 2, b: 1 } }],
      { a: { b: 1, c: 2 } },
    ],
    ['takes an absent field for null', {}, [{ op: 'test', path: '/a', value: null }], {}],
    ['unescapes keys', { 'a/b': 1, '~1': 2 }, [{ op: 'remove', path: '/a~1b' }], { '~1': 2 }],
    ['unescapes once', { '~1': 2 }, [{ op: 'remove', path: '/~01' }], {}],
    ['takes any key', { '': 1 }, [{ op: 'replace', path: '/', value: 2 }], { '': 2 }],
    ['ignores other members', {}, [{ op: 'add', path: '/a', value: 1, x: 1 }], { a: 1 }],
  ]
  it.each(cases)('%s', (_why, document, patch, expected) => {
    const before = structuredClone({ document, patch })
    expect(applyJsonPatch(document, patch)).toEqual(expected)
    expect({ document, patch }).toEqual(before)
  })

  const refusals: readonly [document: JsonValue, operation: JsonObject, cause: string][] = [
    [
      {},
      { op: 'remove', path: '/a' },
      "error in remove for path: '/a': Unable to remove nonexistent key: a: missing value",
    ],
    [
      {},
      { op: 'add', path: '/a/b', value: 1 },
      'add operation does not apply: doc is missing path: "/a/b": missing value',
    ],
    [
      { a: null },
      { op: 'add', path: '/a/b', value: 1 },
      'add operation does not apply: doc is missing path: "/a/b": missing value',
    ],
    [
      [1],
      { op: 'add', path: '/3', value: 1 },
      "error in add for path: '/3': Unable to access invalid index: 3: invalid index",
    ],
    [
      [1],
      { op: 'replace', path: '/01', value: 1 },
      `error in replace for path: '/01': strconv.Atoi: parsing "01": invalid syntax`,
    ],
    [{ a: 1 }, { op: 'test', path: '/a', value: 2 }, 'testing value /a failed: test failed'],
    [{ a: 1 }, { op: 'test', path: '/b', value: 2 }, 'testing value /b failed: test failed'],
    [[], { op: 'test', path: '/0', value: null }, 'testing value /0 failed: test failed'],
    [
      {},
      { op: 'copy', from: '/a', path: '/b' },
      'copy operation does not apply: doc is missing from path: /a: missing value',
    ],
    [{ a: {} }, { op: 'move', from: '/a', path: '/a/b' }, 'move operation does not apply: /a/b is inside /a'],
    [{}, { op: 'add', path: '/a' }, 'add operation, missing value field: missing value'],
    [{}, { op: 'add', value: 1 }, 'add operation failed to decode path: missing value'],
    [{}, { op: 'add', path: 'a', value: 1 }, 'add operation failed to decode path: missing value'],
    [{}, { op: 'spam', path: '/a' }, 'Unexpected kind: spam'],
    [{}, { path: '/a' }, 'Unexpected kind: unknown'],
    [
      {},
      { op: 'remove', path: '/constructor' },
      "error in remove for path: '/constructor': Unable to remove nonexistent key: constructor: missing value",
    ],
  ]
  it.each(refusals)('on %j rejects %j', (document, operation, cause) => {
    const error = failure(() => applyJsonPatch(document, [operation]))
    expect(error.code).toBe(422)
    expect(error.message).toBe('the server rejected our request due to an error in our request')
    expect((error.cause as Error).message).toBe(cause)
  })

  it.each([
    [{}, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    ['x', 'error decoding patch: json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
    [[1], 'json: cannot unmarshal number into Go value of type jsonpatch.Operation'],
  ] as const)('%j is malformed', (patch, message) => {
    const error = failure(() => applyJsonPatch({}, patch as unknown as JsonValue))
    expect([error.code, error.message]).toEqual([400, message])
  })

  it('rejects too many operations', () => {
    const patch = Array.from({ length: maximumJsonPatchOperations + 1 }, () => ({ op: 'test', path: '', value: {} }))
    expect(failure(() => applyJsonPatch({}, patch))).toMatchObject({
      code: 413,
      message: 'Request entity is too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    })
  })

  it('rejects copies beyond the size limit', () => {
    const patch = Array.from({ length: 40 }, () => ({ op: 'copy', from: '', path: '/a' }))
    const error = failure(() => applyJsonPatch({ a: 'x'.repeat(100_000) }, patch))
    expect((error.cause as Error).message).toMatch(
      /^Unable to complete the copy, the accumulated size increase of copy is/,
    )
  })

  it('applies ten thousand operations to one list in less than a second', () => {
    const patch = Array.from({ length: 10_000 }, (_, index) => ({ op: 'add', path: '/list/-', value: index }))
    const before = performance.now()
    expect((applyJsonPatch({ list: [] }, patch) as { list: number[] }).list).toHaveLength(10_000)
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it('cannot modify a prototype', () => {
    const patched = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { admin: true } }]) as JsonObject
    expect(patched.admin).toBeUndefined()
    expect(Object.keys(patched)).toEqual(['__proto__'])
    expect(failure(() => applyJsonPatch({}, [{ op: 'add', path: '/constructor/x', value: 1 }])).code).toBe(422)
  })

  it('shares unchanged values with the document', () => {
    const document = { a: { deep: [1] }, b: { deep: [2] } }
    const patched = applyJsonPatch(document, [{ op: 'replace', path: '/a/deep/0', value: 3 }]) as typeof document
    expect(patched.b).toBe(document.b)
    expect(document.a.deep).toEqual([1])
  })

  it('does not modify a value of the patch that a later operation changes', () => {
    const patch = [
      { op: 'add', path: '/a', value: { list: [] } },
      { op: 'add', path: '/a/list/-', value: 1 },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/a/list/-', value: 2 },
    ]
    expect(applyJsonPatch({}, patch)).toEqual({ a: { list: [1, 2] }, b: { list: [1] } })
    expect(patch[0]!.value).toEqual({ list: [] })
  })

  it('throws only StatusError and never modifies its inputs', () => {
    const pointer = fc.constantFrom('', '/', '/a', '/a/0', '/a/-', '/a/b', '/b/-1', '/__proto__/x', 'x', '/a~1b')
    const operation = fc.record({
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
      path: pointer,
      from: pointer,
      value: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>,
    })
    const document = fc.record({
      a: fc.jsonValue({ maxDepth: 3 }),
      b: fc.array(fc.integer()),
    }) as fc.Arbitrary<JsonValue>
    fc.assert(
      fc.property(document, fc.array(operation), (given, patch) => {
        const before = JSON.stringify([given, patch])
        try {
          applyJsonPatch(given, patch)
        } catch (error) {
          expect(error).toBeInstanceOf(StatusError)
        }
        expect(JSON.stringify([given, patch])).toBe(before)
      }),
      { numRuns: 500 },
    )
  })
})

function failure(run: () => unknown): StatusError {
  try {
    run()
  } catch (error) {
    if (error instanceof StatusError) return error
    throw error
  }
  throw new Error('expected a failure')
}
