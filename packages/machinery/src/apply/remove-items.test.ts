import { describe, expect, it } from 'vitest'
import { objectMetaShape, structShape } from '../schema/index.ts'
import { fieldSetFromJson } from './field-set.ts'
import { removeItems } from './remove-items.ts'

const text = { kind: 'scalar', type: 'string' } as const
const shape = structShape({
  apiVersion: text,
  kind: text,
  metadata: objectMetaShape,
  a: text,
  list: {
    kind: 'list',
    element: structShape({ name: text, x: text, y: text }),
    listType: 'map',
    listMapKeys: ['name'],
  },
  map: { kind: 'map', element: text },
})

describe('items', () => {
  const value = {
    a: '1',
    list: [
      { name: 'p', x: '1', y: '2' },
      { name: 'q', x: '3' },
    ],
    map: { k: 'v' },
  }

  it('are removed, and an emptied container becomes null', () => {
    const set = fieldSetFromJson({
      'f:a': {},
      'f:list': { 'k:{"name":"p"}': { 'f:x': {} }, 'k:{"name":"q"}': {} },
      'f:map': { 'f:k': {} },
    })
    expect(removeItems(shape, value, set)).toEqual({ list: [{ name: 'p', y: '2' }], map: null })
    expect(removeItems(shape, value, fieldSetFromJson({ 'f:none': {} }))).toBe(value)
  })
})
