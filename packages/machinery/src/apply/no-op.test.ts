import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../json/index.ts'
import { type ManagedFieldsEntry, objectMetaShape, structShape } from '../object/index.ts'
import { extractApplied } from './extract.ts'
import { fieldSetFromJson } from './field-set.ts'
import { withoutTimeChanges } from './no-op.ts'
import { extractItems, removeItems } from './remove-items.ts'

function entry(manager: string, fieldsV1: JsonObject, given: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry {
  return { manager, operation: 'Update', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1, ...given }
}

describe('a write that changes only times', () => {
  const object = (time: string, more: JsonObject = {}): JsonObject => ({
    kind: 'A',
    metadata: { name: 'a', managedFields: [{ ...entry('a', { 'f:spec': {} }), time }] as unknown as JsonValue },
    ...more,
  })

  it('keeps the previous times', () => {
    expect(withoutTimeChanges(object('1'), object('2'))).toEqual(object('1'))
  })

  it('keeps the new times when anything else differs', () => {
    const next = object('2', { spec: { a: 1 } })
    expect(withoutTimeChanges(object('1'), next)).toBe(next)
    const other = { ...object('2'), metadata: { name: 'a', managedFields: [entry('b', {})] as unknown as JsonValue } }
    expect(withoutTimeChanges(object('1'), other)).toBe(other)
  })
})

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

  it('are extracted, with their keys on request', () => {
    const set = fieldSetFromJson({ 'f:list': { 'k:{"name":"p"}': { 'f:x': {} } } })
    expect(extractItems(shape, value, set)).toEqual({ list: [{ x: '1' }] })
    expect(extractItems(shape, value, set, { keyFields: true })).toEqual({ list: [{ name: 'p', x: '1' }] })
  })

  it('of one applier are extracted as a configuration', () => {
    const fields = { 'f:list': { 'k:{"name":"p"}': { '.': {}, 'f:name': {}, 'f:x': {} } } }
    const entries = [entry('me', fields, { operation: 'Apply' })] as unknown as JsonValue
    const object = { apiVersion: 'v1', kind: 'A', metadata: { name: 'o', managedFields: entries }, ...value }
    expect(extractApplied(shape, object, 'me')).toEqual({ apiVersion: 'v1', kind: 'A', list: [{ name: 'p', x: '1' }] })
    expect(extractApplied(shape, object, 'other')).toBeUndefined()
  })
})
