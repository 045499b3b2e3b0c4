import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../json/index.ts'
import { structShape, type TypeShape } from '../schema/index.ts'
import { StatusError } from '../status/index.ts'
import { applyStrategicMergePatch } from './strategic-merge.ts'

const text = { kind: 'scalar', type: 'string' } as const
const textMap = { kind: 'map', element: text } as const
const item = structShape({
  name: text,
  value: text,
  labels: textMap,
  set: { kind: 'list', element: text, patchStrategies: ['merge'] },
})
const keyed = (element: TypeShape): TypeShape => ({
  kind: 'list',
  element,
  patchStrategies: ['merge'],
  patchMergeKey: 'name',
})
const shape = structShape({
  name: text,
  labels: textMap,
  items: keyed(item),
  set: { kind: 'list', element: text, patchStrategies: ['merge'] },
  atomic: { kind: 'list', element: item },
  noKey: { kind: 'list', element: item, patchStrategies: ['merge'] },
  inner: structShape({ a: text, b: text, items: keyed(item) }),
  replaced: structShape({ a: text, b: text }, { patchStrategies: ['replace'] }),
  strategy: structShape({ type: text, rolling: structShape({ max: text }) }, { patchStrategies: ['retainKeys'] }),
})

describe('a strategic merge patch', () => {
  const cases: readonly [why: string, document: JsonObject, patch: JsonObject, expected: JsonObject][] = [
    ['sets and removes fields', { name: 'a', labels: { x: '1' } }, { name: 'b', labels: null }, { name: 'b' }],
    ['merges maps', { labels: { x: '1', y: '2' } }, { labels: { y: null, z: '3' } }, { labels: { x: '1', z: '3' } }],
    ['ignores nulls of what is not there', {}, { labels: null, inner: { a: null, b: 'x' } }, { inner: { b: 'x' } }],
    [
      'merges lists by key, with items of the patch in its order',
      {
        items: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2' },
        ],
      },
      { items: [{ name: 'c' }, { name: 'b', value: '3' }] },
      { items: [{ name: 'c' }, { name: 'a', value: '1' }, { name: 'b', value: '3' }] },
    ],
    ['merges lists of scalars as sets', { set: ['a', 'b'] }, { set: ['c', 'a'] }, { set: ['c', 'a', 'b'] }],
    [
      'replaces lists without a strategy',
      { atomic: [{ name: 'a' }] },
      { atomic: [{ name: 'b' }] },
      { atomic: [{ name: 'b' }] },
    ],
    [
      'replaces objects with that strategy',
      { replaced: { a: '1' } },
      { replaced: { b: '2' } },
      { replaced: { b: '2' } },
    ],
    [
      'deletes an item',
      { items: [{ name: 'a' }, { name: 'b' }] },
      { items: [{ name: 'a', $patch: 'delete' }] },
      { items: [{ name: 'b' }] },
    ],
    [
      'replaces a merged list',
      { items: [{ name: 'a' }, { name: 'b' }] },
      { items: [{ name: 'c' }, { $patch: 'replace' }] },
      { items: [{ name: 'c' }] },
    ],
    [
      'replaces an object',
      { inner: { a: '1', b: '2' } },
      { inner: { $patch: 'replace', a: '3' } },
      { inner: { a: '3' } },
    ],
    ['deletes the inside of an object', { inner: { a: '1' } }, { inner: { $patch: 'delete' } }, { inner: {} }],
    ['drops a deletion of what is not there', {}, { inner: { $patch: 'delete' } }, {}],
    [
      'retains keys',
      { strategy: { type: 'Rolling', rolling: { max: '1' } } },
      { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      { strategy: { type: 'Recreate' } },
    ],
    [
      'leaves out directives of what is new',
      {},
      { strategy: { $retainKeys: ['type'], type: 'x' } },
      { strategy: { type: 'x' } },
    ],
    ['deletes from a list of scalars', { set: ['a', 'b'] }, { '$deleteFromPrimitiveList/set': ['a'] }, { set: ['b'] }],
    [
      'deletes before it adds',
      { set: ['a', 'b'] },
      { set: ['c'], '$deleteFromPrimitiveList/set': ['a'] },
      { set: ['c', 'b'] },
    ],
    [
      'orders items',
      { items: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      { '$setElementOrder/items': [{ name: 'c' }, { name: 'a' }] },
      { items: [{ name: 'b' }, { name: 'c' }, { name: 'a' }] },
    ],
    [
      'orders merged items and keeps what only the server has',
      { items: [{ name: 'a', value: '1' }, { name: 'sidecar' }] },
      {
        '$setElementOrder/items': [{ name: 'b' }, { name: 'a' }],
        items: [{ name: 'b' }, { name: 'a', value: '2' }],
      },
      { items: [{ name: 'b' }, { name: 'a', value: '2' }, { name: 'sidecar' }] },
    ],
    ['orders scalars', { set: ['a', 'b', 'c'] }, { '$setElementOrder/set': ['c', 'b', 'a'] }, { set: ['c', 'b', 'a'] }],
    [
      'merges deep inside items',
      { inner: { items: [{ name: 'a', labels: { x: '1' }, set: ['p'] }] } },
      { inner: { items: [{ name: 'a', labels: { y: '2' }, set: ['q'] }] } },
      { inner: { items: [{ name: 'a', labels: { x: '1', y: '2' }, set: ['q', 'p'] }] } },
    ],
    ['sets what was of another type', { labels: 'x' }, { labels: { a: '1', b: null } }, { labels: { a: '1' } }],
    [
      'merges what the shape does not know as objects and lists',
      { other: { a: 1, l: [1] } },
      { other: { b: 2, l: [2] } },
      { other: { a: 1, b: 2, l: [2] } },
    ],
  ]
  it.each(cases)('%s', (_why, document, patch, expected) => {
    const before = structuredClone({ document, patch })
    expect(applyStrategicMergePatch(shape, document, patch)).toEqual(expected)
    expect({ document, patch }).toEqual(before)
  })

  const refusals: readonly [document: JsonObject, patch: JsonValue, code: number, message: string][] = [
    [{}, [], 400, 'invalid JSON document'],
    [
      { items: [{ name: 'a' }] },
      { items: [{ value: '1' }] },
      400,
      'map: map[value:1] does not contain declared merge key: name',
    ],
    [
      { items: [{ name: 'a' }] },
      { items: [{ $patch: 'delete' }] },
      400,
      'map: map[$patch:delete] does not contain declared merge key: name',
    ],
    [{ inner: { a: '1' } }, { inner: { $patch: 'spam' } }, 400, 'unknown patch type: spam in map: map[$patch:spam]'],
    [
      { items: [{ name: 'a' }] },
      { items: [{ $patch: 'merge' }] },
      400,
      'merging lists cannot yet be specified in the patch',
    ],
    [{ noKey: [{ name: 'a' }] }, { noKey: [{ name: 'a' }] }, 400, 'cannot merge lists without merge key for struct'],
    [{ strategy: {} }, { strategy: { $retainKeys: 'x' } }, 400, 'invalid patch format of retainKeys'],
    [{ strategy: {} }, { strategy: { $retainKeys: [], type: 'x' } }, 400, 'invalid patch format of retainKeys'],
    [{ set: [] }, { '$deleteFromPrimitiveList.set': [] }, 400, 'invalid patch format of primitive list'],
    [{ set: ['a'] }, { '$setElementOrder/set': 'x' }, 400, 'expected a []interface {}, but received a string'],
    [{ set: ['a'] }, { set: [1] }, 400, 'list element types are not identical: [[a] [1]]'],
    [{ set: ['a'] }, { set: [[1]] }, 422, 'the server rejected our request due to an error in our request'],
    [
      { set: ['a'] },
      { '$setElementOrder/set': ['x'], set: ['y'] },
      400,
      "The order in patch list:\n[y]\n doesn't match $setElementOrder list:\n[x]\n",
    ],
  ]
  it.each(refusals)('on %j rejects %j', (document, patch, code, message) => {
    let error: unknown
    try {
      applyStrategicMergePatch(shape, document, patch)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(StatusError)
    expect(error).toMatchObject({ code, message })
  })

  it('shares unchanged values with the document', () => {
    const document = {
      labels: { a: '1' },
      items: [
        { name: 'a', value: '1' },
        { name: 'b', labels: { x: '1' } },
      ],
    }
    const patched = applyStrategicMergePatch(shape, document, { items: [{ name: 'a', value: '2' }] }) as typeof document
    expect(patched.labels).toBe(document.labels)
    expect(patched.items[1]).toBe(document.items[1])
  })

  it('merges long lists in linear time', () => {
    const items = Array.from({ length: 10_000 }, (_, index) => ({ name: `n${index}`, value: 'x' }))
    const before = performance.now()
    const patch = { items: items.map(({ name }) => ({ name, value: 'y' })), '$setElementOrder/items': items }
    expect((applyStrategicMergePatch(shape, { items }, patch).items as JsonValue[])[9_999]).toEqual({
      name: 'n9999',
      value: 'y',
    })
    expect(performance.now() - before).toBeLessThan(1_000)
  })
})
