import { describe, expect, it } from 'vitest'
import { finish } from '../base/index.ts'
import type { JsonObject } from '../json/index.ts'
import { deducedShape, structShape, type TypeShape } from '../schema/index.ts'
import { type FieldSet, fieldSetFromJson, fieldSetToJson } from './field-set.ts'
import { ApplyConflicts, type ManagedSet } from './managers.ts'
import { singleVersion } from './testing/single-version.ts'
import { applyConfiguration, updateManagers } from './updater.ts'
import type { KindVersions } from './versions.ts'

const text = { kind: 'scalar', type: 'string' } as const
const number = { kind: 'scalar', type: 'number' } as const
const set = { kind: 'list', element: text, listType: 'set' } as const
const item = structShape({ name: text, value: number, labels: { kind: 'map', element: text } })
const shape = structShape({
  string: text,
  numeric: number,
  set,
  atomicList: { kind: 'list', element: text },
  list: { kind: 'list', element: item, listType: 'map', listMapKeys: ['name'] },
  ports: {
    kind: 'list',
    element: structShape({ port: number, protocol: text, name: text }),
    listType: 'map',
    listMapKeys: ['port', 'protocol'],
    listMapKeyDefaults: { protocol: 'TCP' },
  },
  labels: { kind: 'map', element: text },
  atomicMap: { kind: 'map', element: text, mapType: 'atomic' },
  atomicStruct: structShape({ a: text, b: text }, { structType: 'atomic' }),
  struct: structShape({ a: text, b: text, deep: structShape({ c: text }) }),
  any: deducedShape,
})

/** An object and its managers through a sequence of writes. */
class Story {
  live: JsonObject = {}
  managers: ReadonlyMap<string, ManagedSet> = new Map()
  readonly #versions: KindVersions

  constructor(given: TypeShape = shape) {
    this.#versions = singleVersion('v1', given)
  }

  apply(manager: string, value: JsonObject, force = false): this {
    const { object, managers } = finish(
      applyConfiguration(
        { versions: this.#versions },
        { apiVersion: 'v1', value: this.live },
        { apiVersion: 'v1', value },
        this.managers,
        manager,
        force,
      ),
    )
    this.live = object ?? this.live
    this.managers = managers
    return this
  }

  update(manager: string, value: JsonObject): this {
    const next = { apiVersion: 'v1', value }
    this.managers = finish(
      updateManagers(
        { versions: this.#versions },
        { apiVersion: 'v1', value: this.live },
        next,
        this.managers,
        manager,
      ),
    )
    this.live = value
    return this
  }

  owned(manager: string): FieldSet | undefined {
    const managed = this.managers.get(manager)
    return managed && fieldSetToJson(managed.set)
  }

  conflicts(manager: string, value: JsonObject): Record<string, FieldSet> {
    try {
      this.apply(manager, value)
    } catch (error) {
      if (error instanceof ApplyConflicts) return Object.fromEntries(error.sets)
      throw error
    }
    return {}
  }
}

describe('an apply', () => {
  it('owns the fields that it sets, and shares fields with equal values', () => {
    const story = new Story().apply('a', { string: 'x', numeric: 1 }).apply('b', { string: 'x' })
    expect(story.owned('a')).toEqual({ 'f:string': {}, 'f:numeric': {} })
    expect(story.owned('b')).toEqual({ 'f:string': {} })
  })

  it('conflicts with the owners of changed fields, appliers and updaters', () => {
    const story = new Story().apply('a', { string: 'x' }).update('u', { string: 'x', numeric: 1 })
    expect(story.conflicts('b', { string: 'y', numeric: 2 })).toEqual({ a: { 'f:string': {} }, u: { 'f:numeric': {} } })
    expect(story.live).toEqual({ string: 'x', numeric: 1 })
  })

  it('takes over fields when forced, and removes managers without fields', () => {
    const story = new Story().apply('a', { string: 'x' }).apply('b', { string: 'y' }, true)
    expect(story.live).toEqual({ string: 'y' })
    expect([...story.managers.keys()]).toEqual(['b'])
  })

  it('removes fields that it applied before and omits now', () => {
    const story = new Story()
      .apply('a', {
        string: 'x',
        labels: { p: '1', q: '2' },
        set: ['m', 'n'],
        list: [{ name: 'i', value: 1 }, { name: 'j' }],
      })
      .apply('a', { labels: { p: '1' }, set: ['m'], list: [{ name: 'i' }] })
    expect(story.live).toEqual({ labels: { p: '1' }, set: ['m'], list: [{ name: 'i' }] })
  })

  it('removes structs and maps whose last field it omits', () => {
    const story = new Story().apply('a', { struct: { deep: { c: 'x' } }, labels: { p: '1' }, string: 's' })
    expect(story.apply('a', { string: 's' }).live).toEqual({ string: 's' })
  })

  it('keeps fields with another owner', () => {
    const config = { labels: { p: '1' }, list: [{ name: 'i', value: 1 }] }
    const story = new Story().apply('a', config).apply('b', config).apply('a', {})
    expect(story.live).toEqual(config)
    expect(story.owned('a')).toBeUndefined()
  })

  it('keeps fields of other managers in an item that it omits', () => {
    const story = new Story()
      .apply('a', { list: [{ name: 'i', value: 1 }] })
      .update('u', { list: [{ name: 'i', value: 1, labels: { x: '1' } }] })
      .apply('b', { list: [{ name: 'i', labels: { x: '1' } }] })
      .apply('a', {})
    expect(story.live).toEqual({ list: [{ name: 'i', labels: { x: '1' } }] })
  })

  it('is idempotent', () => {
    const config = { string: 'x', list: [{ name: 'i', value: 1 }], set: ['a'], atomicMap: { a: 'b' } }
    const story = new Story().apply('a', config)
    const { live, managers } = story
    story.apply('a', structuredClone(config))
    expect(story.live).toBe(live)
    expect([...story.managers]).toEqual([...managers])
  })

  it('owns atomic values as a whole', () => {
    const story = new Story().apply('a', { atomicList: ['x'], atomicMap: { p: '1' }, atomicStruct: { a: 'x' } })
    expect(story.owned('a')).toEqual({ 'f:atomicList': {}, 'f:atomicMap': {}, 'f:atomicStruct': {} })
    expect(story.conflicts('b', { atomicMap: { q: '2' } })).toEqual({ a: { 'f:atomicMap': {} } })
    expect(story.apply('b', { atomicMap: { q: '2' } }, true).live.atomicMap).toEqual({ q: '2' })
  })

  it('owns list items by their keys, with defaults for omitted keys', () => {
    const story = new Story().apply('a', { ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }], set: ['x'] })
    expect(story.owned('a')).toEqual({
      'f:ports': {
        'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} },
        'k:{"port":80,"protocol":"UDP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} },
      },
      'f:set': { 'v:"x"': {} },
    })
    expect(story.apply('b', { ports: [{ port: 80, protocol: 'TCP', name: 'web' }] }).live.ports).toEqual([
      { port: 80, protocol: 'TCP', name: 'web' },
      { port: 80, protocol: 'UDP' },
    ])
  })

  it('sorts list items in its own order, with other items after those they followed', () => {
    const story = new Story().update('u', { set: ['a', 'b', 'c', 'd'] })
    expect(story.apply('m', { set: ['d', 'a', 'x'] }).live).toEqual({ set: ['b', 'c', 'd', 'a', 'x'] })
  })

  it('owns values without a schema field by field', () => {
    const story = new Story().apply('a', { any: { p: { q: 1 }, l: [1, { z: 2 }] } })
    expect(story.owned('a')).toEqual({ 'f:any': { 'f:l': {}, 'f:p': { '.': {}, 'f:q': {} } } })
    expect(story.apply('b', { any: { p: { r: 2 } } }).apply('a', { any: {} }).live).toEqual({ any: { p: { r: 2 } } })
  })

  it('modifies none of its inputs', () => {
    const live = { string: 'x', list: [{ name: 'i', value: 1 }] }
    const story = new Story().update('u', live)
    const config = { list: [{ name: 'i', value: 2 }, { name: 'j' }] }
    const before = structuredClone({ live, config })
    story.apply('a', config, true)
    expect({ live, config }).toEqual(before)
  })

  it('keeps duplicates of the live list until it sets them', () => {
    const story = new Story().update('u', { list: [{ name: 'i', value: 1 }, { name: 'i', value: 2 }, { name: 'j' }] })
    expect(story.owned('u')).toEqual({
      'f:list': { '.': {}, 'k:{"name":"i"}': {}, 'k:{"name":"j"}': { '.': {}, 'f:name': {} } },
    })
    expect(story.apply('a', { list: [{ name: 'j', value: 3 }] }).live).toEqual({
      list: [
        { name: 'i', value: 1 },
        { name: 'i', value: 2 },
        { name: 'j', value: 3 },
      ],
    })
    expect(story.apply('a', { list: [{ name: 'i', value: 9 }] }, true).live.list).toEqual([
      { name: 'i', value: 9 },
      { name: 'j' },
    ])
  })
})

describe('an update', () => {
  it('owns the fields that it changes, and other managers lose them', () => {
    const story = new Story()
      .apply('a', { string: 'x', labels: { p: '1', q: '2' } })
      .update('u', { string: 'y', labels: { p: '1' } })
    expect(story.owned('a')).toEqual({ 'f:labels': { 'f:p': {} } })
    expect(story.owned('u')).toEqual({ 'f:string': {} })
  })

  it('owns the containers that it creates', () => {
    expect(new Story().update('u', { labels: { p: '1' }, struct: { a: 'x' }, set: [] }).owned('u')).toEqual({
      'f:labels': { '.': {}, 'f:p': {} },
      'f:set': {},
      'f:struct': { '.': {}, 'f:a': {} },
    })
  })

  it('owns a value whose type it changes', () => {
    const story = new Story().update('u', { any: { p: 1 } }).update('v', { any: 'x' })
    expect(story.owned('v')).toEqual({ 'f:any': {} })
    expect(story.owned('u')).toBeUndefined()
  })

  it('never owns fields that its endpoint does not write', () => {
    const reset = new Map([['v1', fieldSetFromJson({ 'f:struct': {} })]])
    const context = { versions: singleVersion('v1', shape), resetFields: reset }
    const next = { apiVersion: 'v1', value: { string: 'x', struct: { a: 'y' } } }
    const managers = finish(updateManagers(context, { apiVersion: 'v1', value: {} }, next, new Map(), 'u'))
    expect(managers.get('u')?.set).toEqual({ 'f:string': {} })
  })
})

describe('a schema that changed', () => {
  it('makes owners of parts of a now atomic container own all of it', () => {
    const story = new Story().apply('a', { labels: { p: '1' }, list: [{ name: 'i', value: 1 }] })
    const atomic = structShape({
      labels: { kind: 'map', element: text, mapType: 'atomic' },
      list: { kind: 'list', element: item, listType: 'atomic' },
    })
    const next = new Story(atomic)
    next.live = story.live
    next.managers = story.managers
    next.update('u', { ...story.live, labels: { p: '1', q: '2' } })
    expect(next.owned('a')).toEqual({ 'f:list': {} })
    expect(next.owned('u')).toEqual({ 'f:labels': {} })
  })
})

describe('several versions', () => {
  const renamed = structShape({ text, numeric: number })
  const versions: KindVersions = {
    shape: (apiVersion) => (apiVersion === 'v1' ? shape : apiVersion === 'v2' ? renamed : undefined),
    convert: ({ value }, apiVersion) => {
      const { string = null, text: other = null, ...rest } = value
      const content = string ?? other
      if (apiVersion === 'v1') return content === null ? rest : { ...rest, string: content }
      return apiVersion === 'v2' ? (content === null ? rest : { ...rest, text: content }) : undefined
    },
  }
  const context = { versions }
  const appliedInTheFirstVersion = () => {
    const config = { apiVersion: 'v1', value: { string: 'x', numeric: 1 } }
    const first = finish(applyConfiguration(context, { apiVersion: 'v1', value: {} }, config, new Map(), 'a', false))
    const live = { apiVersion: 'v2', value: versions.convert({ apiVersion: 'v1', value: first.object! }, 'v2')! }
    return { first, live }
  }

  it('compare each owner’s fields in the version it wrote', () => {
    const { first, live } = appliedInTheFirstVersion()
    const config = { apiVersion: 'v2', value: { text: 'y' } }
    expect(() => finish(applyConfiguration(context, live, config, first.managers, 'b', false))).toThrow(ApplyConflicts)
    const forced = finish(applyConfiguration(context, live, config, first.managers, 'b', true))
    expect(forced.object).toEqual({ text: 'y', numeric: 1 })
    expect(forced.managers.get('a')).toEqual({ set: { 'f:numeric': {} }, apiVersion: 'v1', applied: true })
  })

  it('remove what was applied in another version', () => {
    const { first, live } = appliedInTheFirstVersion()
    const next = finish(
      applyConfiguration(context, live, { apiVersion: 'v2', value: { numeric: 1 } }, first.managers, 'a', false),
    )
    expect(next.object).toEqual({ numeric: 1 })
  })

  it('drop owners in versions that are no longer served', () => {
    const managers = new Map([['old', { set: fieldSetFromJson({ 'f:string': {} }), apiVersion: 'v0', applied: true }]])
    const next = { apiVersion: 'v1', value: { string: 'x' } }
    expect([...finish(updateManagers(context, { apiVersion: 'v1', value: {} }, next, managers, 'u')).keys()]).toEqual([
      'u',
    ])
  })
})
