import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../json/index.ts'
import type { KubernetesObject } from '../object/index.ts'
import { atomicShape, objectMetaShape, structShape } from '../schema/index.ts'
import { StatusError } from '../status/index.ts'
import { FieldManager } from './field-manager.ts'
import { singleVersion } from './testing/single-version.ts'

const text = { kind: 'scalar', type: 'string' } as const
const shape = structShape({
  apiVersion: text,
  kind: text,
  metadata: objectMetaShape,
  spec: structShape({
    tags: { kind: 'map', element: text, orLeaf: true },
    timeouts: structShape({ create: text, delete: text }, { orLeaf: true }),
    groups: { kind: 'list', listType: 'set', element: atomicShape, orLeaf: true },
    rules: { kind: 'list', listType: 'atomic', element: atomicShape, orLeaf: true },
  }),
})
const manager = new FieldManager({
  kind: { group: 'sim.hykube.io', version: 'v1', kind: 'SimInstance' },
  versions: singleVersion('sim.hykube.io/v1', shape),
  now: () => 0,
})

function object(spec: JsonObject): JsonObject {
  return { apiVersion: 'sim.hykube.io/v1', kind: 'SimInstance', metadata: { name: 'a', namespace: 'b' }, spec }
}

/** Applies the configurations in turn, each as its manager, and returns the object. */
function applied(...steps: readonly (readonly [who: string, spec: JsonObject, force?: 'force'])[]): JsonObject {
  let live: JsonObject | undefined
  for (const [who, spec, force] of steps) {
    live = manager.apply(live, object(spec), { manager: who, force: force !== undefined }) as JsonObject
    live = { ...live, metadata: { ...(live.metadata as JsonObject), uid: '1' } }
  }
  return live!
}

const specOf = (of: JsonObject) => of.spec
const owned = (of: JsonObject) =>
  Object.fromEntries(
    ((of as KubernetesObject).metadata?.managedFields ?? []).map((entry) => [
      entry.manager,
      (entry.fieldsV1 as JsonObject)['f:spec'],
    ]),
  )

const expression = '${sim_network.main.tags}'

describe('a string in place of a container', () => {
  it.each([
    ['a map', 'tags', { a: '1' }],
    ['an object', 'timeouts', { create: '1m' }],
    ['a set', 'groups', ['x']],
    ['a list', 'rules', [{ a: 1 }]],
  ])('is a leaf in place of %s', (_, field, other) => {
    const one = applied(['one', { [field]: expression }])
    expect(owned(one)).toEqual({ one: { [`f:${field}`]: {} } })
    expect(() => applied(['one', { [field]: expression }], ['two', { [field]: other }])).toThrow(
      expect.objectContaining({ reason: 'Conflict' }),
    )
    const changed = applied(['one', { [field]: expression }], ['one', { [field]: other }])
    expect(specOf(changed)).toEqual({ [field]: other })
    expect(specOf(applied(['one', { [field]: other }], ['one', { [field]: expression }]))).toEqual({
      [field]: expression,
    })
  })

  it('conflicts with owners of fields inside, and takes them over when forced', () => {
    const before = ['one', { tags: { a: '1', b: '2' } }] as const
    const conflict = () => applied(before, ['two', { tags: expression }])
    expect(conflict).toThrow(StatusError)
    expect(conflict).toThrow(/conflicts with "one":\n- \.spec\.tags\.a\n- \.spec\.tags\.b/)
    const forced = applied(before, ['two', { tags: expression }, 'force'])
    expect(specOf(forced)).toEqual({ tags: expression })
    expect(owned(forced)).toEqual({ two: { 'f:tags': {} } })
  })

  it('removes the ownership of the fields that an update replaces', () => {
    const before = applied(['one', { tags: { a: '1' }, groups: ['x'] }])
    const after = manager.update(before, { ...before, spec: { tags: expression, groups: ['x'] } }, 'editor')
    expect(owned(after)).toEqual({
      one: { 'f:groups': { 'v:"x"': {} } },
      editor: { 'f:tags': {} },
    })
  })
})

describe('a value of another type', () => {
  it.each([
    ['a list for a map', { tags: ['a'] }],
    ['a number for an object', { timeouts: 3 }],
    ['objects in a set', { groups: [{ a: 1 }] }],
    ['the same twice in a set', { groups: ['a', 'a'] }],
    ['an object for a list', { rules: { a: 1 } }],
  ])('is left to validation: %s', (_, spec) => {
    expect(specOf(applied(['one', spec as JsonObject]))).toEqual(spec)
  })
})
