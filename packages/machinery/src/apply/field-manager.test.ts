import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../json/index.ts'
import type { ManagedFieldsEntry } from '../object/index.ts'
import { deducedObjectShape, objectMetaShape, structShape } from '../schema/index.ts'
import { StatusError } from '../status/index.ts'
import { FieldManager, type FieldManagerOptions } from './field-manager.ts'
import { fieldSetFromJson } from './field-set.ts'
import { lastAppliedAnnotation } from './last-applied.ts'
import { managedFieldsOf } from './managed-fields.ts'
import { singleVersion } from './testing/single-version.ts'

const text = { kind: 'scalar', type: 'string' } as const
const shape = structShape({
  apiVersion: text,
  kind: text,
  metadata: objectMetaShape,
  spec: structShape({
    replicas: { kind: 'scalar', type: 'number' },
    paused: { kind: 'scalar', type: 'boolean' },
    containers: {
      kind: 'list',
      element: structShape({ name: text, image: text }),
      listType: 'map',
      listMapKeys: ['name'],
    },
  }),
  status: structShape({ replicas: { kind: 'scalar', type: 'number' } }),
})
const kind = { group: 'apps', version: 'v1', kind: 'Deployment' }
const versions = singleVersion('apps/v1', shape)
const statusFields = new Map([['apps/v1', fieldSetFromJson({ 'f:status': {} })]])

/** Returns a manager whose clock advances one minute with each reading. */
function createManager(options: Partial<FieldManagerOptions> = {}): FieldManager {
  let now = Date.UTC(2026, 0, 1)
  return new FieldManager({ kind, versions, resetFields: statusFields, now: () => (now += 60_000), ...options })
}

function deployment(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', ...metadata },
    spec,
  }
}

/** Returns an object with the fields that storage adds. */
function stored(object: JsonObject): JsonObject {
  return { ...object, metadata: { ...(object.metadata as JsonObject), uid: '1', resourceVersion: '5', generation: 1 } }
}

const entriesOf = (object: JsonObject): ManagedFieldsEntry[] => [...(managedFieldsOf(object) ?? [])]
const owners = (object: JsonObject) => entriesOf(object).map(({ manager, operation }) => `${manager} ${operation}`)

describe('an update', () => {
  const bare = { apiVersion: 'apps/v1', kind: 'Deployment' }
  const zero = { ...bare, metadata: {}, spec: { replicas: 0, containers: null }, status: {} }

  it.each([bare, zero])('for a create owns the same fields as an update of an empty object: %j', (empty) => {
    const words = fc.dictionary(fc.string({ maxLength: 4 }), fc.string({ maxLength: 4 }), { maxKeys: 4 })
    const containers = fc.uniqueArray(fc.record({ name: fc.string({ maxLength: 3 }), image: fc.string() }), {
      selector: ({ name }) => name,
      maxLength: 4,
    })
    const spec = fc.oneof(fc.constant({}), fc.record({ replicas: fc.nat(), containers }), fc.record({ other: words }))
    const object = fc.record({ spec, labels: words, status: fc.record({ replicas: fc.nat() }) })
    const shared = createManager({ now: () => Date.UTC(2026, 0, 1), empty })
    fc.assert(
      fc.property(object, ({ labels, status, ...rest }) => {
        const next = { ...deployment(rest.spec as JsonObject, { labels }), status }
        const text = (live: JsonObject | undefined) => JSON.stringify(shared.update(live, next, 'm'))
        expect(text(undefined)).toBe(text(empty))
      }),
    )
  })

  it('records the manager that created an object', () => {
    const created = createManager().update(
      undefined,
      deployment({ replicas: 1 }, { labels: { a: 'b' } }),
      'kubectl-create',
    )
    expect(JSON.stringify(entriesOf(created))).toBe(
      '[{"manager":"kubectl-create","operation":"Update","apiVersion":"apps/v1","time":"2026-01-01T00:01:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:a":{}}},"f:spec":{".":{},"f:replicas":{}}}}]',
    )
  })

  it('does not own fields of the empty object', () => {
    const next = deployment({ replicas: 0, paused: true, containers: [{ name: 'c' }] })
    expect(entriesOf(createManager({ empty: zero }).update(undefined, next, 'm'))[0]?.fieldsV1).toEqual({
      'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:name': {} } }, 'f:paused': {} },
    })
  })

  it('of a scale subresource has no time', () => {
    const manager = createManager({ subresource: 'scale', omitTimes: true })
    const live = stored(createManager().update(undefined, deployment({ replicas: 1, paused: true }), 'maker'))
    const [scaler, maker] = entriesOf(manager.update(live, { ...live, spec: { replicas: 2, paused: true } }, 'scaler'))
    expect(scaler).toMatchObject({
      manager: 'scaler',
      subresource: 'scale',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    })
    expect(scaler).not.toHaveProperty('time')
    expect(maker).toMatchObject({ manager: 'maker', fieldsV1: { 'f:spec': { '.': {}, 'f:paused': {} } } })
  })

  it('names a missing manager `unknown` and records the subresource', () => {
    const manager = createManager({ subresource: 'status', resetFields: new Map() })
    const next = { ...deployment({}), status: { replicas: 1 } }
    expect(entriesOf(manager.update(deployment({}), next, ''))).toMatchObject([
      { manager: 'unknown', subresource: 'status', fieldsV1: { 'f:status': { '.': {}, 'f:replicas': {} } } },
    ])
  })

  it('does not own fields that its endpoint does not write', () => {
    const created = createManager().update(undefined, { ...deployment({ replicas: 1 }), status: { replicas: 1 } }, 'm')
    expect(entriesOf(created)[0]?.fieldsV1).toEqual({ 'f:spec': { '.': {}, 'f:replicas': {} } })
  })

  it('merges the old and new fields of a manager with the new time', () => {
    const manager = createManager()
    const live = stored(manager.update(undefined, deployment({ replicas: 1, paused: true }), 'm'))
    const next = manager.update(live, { ...live, spec: { replicas: 2, paused: true } }, 'm')
    expect(entriesOf(next)).toMatchObject([
      { time: '2026-01-01T00:02:00Z', fieldsV1: { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } } },
    ])
  })

  it('without changes keeps all entries and times', () => {
    const manager = createManager()
    const live = stored(manager.update(undefined, deployment({ replicas: 1 }), 'm'))
    expect(entriesOf(manager.update(live, structuredClone(live), 'other'))).toEqual(entriesOf(live))
  })

  it('keeps managed fields that the client omits', () => {
    const manager = createManager()
    const live = stored(manager.update(undefined, deployment({ replicas: 1 }), 'm'))
    expect(owners(manager.update(live, stored(deployment({ replicas: 1, paused: true })), 'other'))).toEqual([
      'm Update',
      'other Update',
    ])
  })

  it('lets clients write managed fields, but not through a subresource', () => {
    const live = stored(createManager().update(undefined, deployment({ replicas: 1 }), 'm'))
    const mine = [
      {
        manager: 'mine',
        operation: 'Apply',
        apiVersion: 'apps/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:paused': {} } },
      },
    ]
    const next = { ...live, metadata: { ...(live.metadata as JsonObject), managedFields: mine } }
    expect(owners(createManager().update(live, next, 'x'))).toEqual(['mine Apply'])
    expect(owners(createManager({ subresource: 'status' }).update(live, next, 'x'))).toEqual(['m Update'])
  })

  it('keeps the live managed fields when the given ones are invalid', () => {
    const live = stored(createManager().update(undefined, deployment({ replicas: 1 }), 'm'))
    const next = {
      ...live,
      metadata: { ...(live.metadata as JsonObject), managedFields: [{ manager: 'x', operation: 'Spam' }] },
    }
    expect(owners(createManager().update(live, next, 'x'))).toEqual(['m Update'])
  })

  it.each([[[]], [[{}]]])('resets the managed fields when managedFields is %j', (managedFields) => {
    const live = stored(createManager().update(undefined, deployment({ replicas: 1 }), 'm'))
    const next = { ...live, metadata: { ...(live.metadata as JsonObject), managedFields } }
    const updated = createManager().update(live, next, 'x')
    expect(Object.keys(updated.metadata as JsonObject)).not.toContain('managedFields')
  })

  it('does not start to track an untracked object', () => {
    const live = stored(deployment({ replicas: 1 }))
    expect(managedFieldsOf(createManager().update(live, stored(deployment({ replicas: 2 })), 'm'))).toBeUndefined()
  })

  it('keeps ten updaters and merges the older ones', () => {
    const manager = createManager()
    let live = stored(manager.update(undefined, deployment({}, { labels: { l0: 'x' } }), 'm0'))
    for (let index = 1; index < 13; index++) {
      const labels = Object.fromEntries(Array.from({ length: index + 1 }, (_, label) => [`l${label}`, 'x']))
      const metadata = { ...(live.metadata as JsonObject), labels }
      live = manager.update(live, { ...live, metadata }, `m${index}`)
    }
    expect(owners(live)).toEqual([
      'ancient-changes Update',
      ...[4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => `m${n} Update`),
    ])
    expect(entriesOf(live)[0]).toMatchObject({
      time: '2026-01-01T00:04:00Z',
      fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:l0': {}, 'f:l1': {}, 'f:l2': {}, 'f:l3': {} } } },
    })
  })

  it('modifies neither object', () => {
    const manager = createManager()
    const live = stored(manager.update(undefined, deployment({ replicas: 1 }), 'm'))
    const next = { ...live, spec: { replicas: 2 } }
    const before = structuredClone({ live, next })
    manager.update(live, next, 'x')
    expect({ live, next }).toEqual(before)
  })

  it('works for kinds without a schema', () => {
    const manager = createManager({ versions: singleVersion('apps/v1', deducedObjectShape) })
    const created = manager.update(undefined, deployment({ list: [1], deep: { a: 1 } }), 'm')
    expect(entriesOf(created)[0]?.fieldsV1).toEqual({
      'f:spec': { '.': {}, 'f:deep': { '.': {}, 'f:a': {} }, 'f:list': {} },
    })
  })
})

describe('an apply', () => {
  it('creates an object', () => {
    const applied = createManager().apply(undefined, deployment({ replicas: 1 }), { manager: 'me' })
    expect(applied.spec).toEqual({ replicas: 1 })
    expect(entriesOf(applied)).toEqual([
      {
        manager: 'me',
        operation: 'Apply',
        apiVersion: 'apps/v1',
        time: '2026-01-01T00:01:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      },
    ])
  })

  it('reports one conflict with the message of kube-apiserver', () => {
    const manager = createManager()
    const live = stored(manager.update(undefined, deployment({ replicas: 1 }), 'kubectl-client-side-apply'))
    const error = failure(() => manager.apply(live, deployment({ replicas: 2 }), { manager: 'me' }))
    expect(error).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.replicas',
      details: {
        causes: [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "kubectl-client-side-apply" using apps/v1',
            field: '.spec.replicas',
          },
        ],
      },
    })
  })

  it('reports several conflicts by manager', () => {
    const manager = createManager()
    let live = stored(
      manager.apply(undefined, deployment({ containers: [{ name: 'a', image: 'x' }] }), { manager: 'b' }),
    )
    live = manager.update(live, { ...live, spec: { ...(live.spec as JsonObject), replicas: 1, paused: true } }, 'a')
    const config = deployment({ replicas: 2, paused: false, containers: [{ name: 'a', image: 'y' }] })
    const error = failure(() => manager.apply(live, config, { manager: 'me' }))
    expect(error.message).toBe(
      'Apply failed with 3 conflicts: conflicts with "a" using apps/v1:\n- .spec.paused\n- .spec.replicas\nconflicts with "b":\n- .spec.containers[name="a"].image',
    )
    expect(owners(manager.apply(live, config, { manager: 'me', force: true }))).toEqual(['b Apply', 'me Apply'])
  })

  it('names the subresource in a conflict', () => {
    const status = createManager({ subresource: 'status', resetFields: new Map() })
    const base = stored(createManager().update(undefined, deployment({ replicas: 1 }), 'm'))
    const live = status.update(base, { ...base, status: { replicas: 1 } }, 'controller')
    const config = { ...deployment({}), status: { replicas: 2 } }
    expect(failure(() => status.apply(live, config, { manager: 'me' })).message).toBe(
      'Apply failed with 1 conflict: conflict with "controller" with subresource "status" using apps/v1: .status.replicas',
    )
  })

  it('without changes keeps its time', () => {
    const manager = createManager()
    const live = stored(manager.apply(undefined, deployment({ replicas: 1 }), { manager: 'me' }))
    expect(entriesOf(manager.apply(live, deployment({ replicas: 1 }), { manager: 'me' }))).toEqual(entriesOf(live))
  })

  it('keeps fields from before the object was tracked', () => {
    const live = stored(deployment({ replicas: 1, paused: true }))
    const applied = createManager().apply(live, deployment({ replicas: 1 }), { manager: 'me' })
    expect(owners(applied)).toEqual(['me Apply', 'before-first-apply Update'])
    expect(applied.spec).toEqual({ replicas: 1, paused: true })
    expect(failure(() => createManager().apply(live, deployment({ replicas: 2 }), { manager: 'me' })).message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using apps/v1: .spec.replicas',
    )
  })

  it.each([
    [{ apiVersion: 'apps/v2', kind: 'Deployment' }, 'invalid object type: apps/v2, Kind=Deployment'],
    [{ kind: 'Deployment' }, 'invalid object type: /, Kind=Deployment'],
    [
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { managedFields: [] } },
      'metadata.managedFields must be nil',
    ],
  ])('rejects %j', (config, message) => {
    const error = failure(() => createManager().apply(undefined, config as unknown as JsonObject, { manager: 'me' }))
    expect([error.code, error.message]).toEqual([400, message])
  })

  const typed: readonly [spec: JsonObject, message: string][] = [
    [{ foo: 1 }, '.spec.foo: field not declared in schema'],
    [{ replicas: 'x' }, '.spec.replicas: expected numeric (int or float), got string'],
    [{ paused: 1 }, '.spec.paused: expected boolean, got 1'],
    [{ containers: {} }, '.spec.containers: expected list, got {}'],
    [
      { containers: [{ image: 'x' }] },
      `.spec.containers: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
    ],
    [{ containers: [{ name: 'a' }, { name: 'a' }] }, '.spec.containers: duplicate entries for key [name="a"]'],
    [{ containers: [null] }, '.spec.containers: element 0: associative list with keys may not have a null element'],
    [
      { foo: 1, bar: 2 },
      'errors:\n  .spec.foo: field not declared in schema\n  .spec.bar: field not declared in schema',
    ],
  ]
  it.each(typed)('rejects %j', (spec, message) => {
    const error = failure(() => createManager().apply(undefined, deployment(spec), { manager: 'me' }))
    expect(error.code).toBe(400)
    expect(error.message).toBe(
      `failed to create typed patch object (default/web; apps/v1, Kind=Deployment): ${message}`,
    )
  })

  it('rejects invalid live managed fields', () => {
    const live = deployment({}, { managedFields: [{ manager: 'x', operation: 'Update', apiVersion: 'apps/v1' }] })
    expect(failure(() => createManager().apply(live, deployment({}), { manager: 'me' })).message).toBe(
      'failed to decode managed fields: missing fieldsType in managed fields entry 0',
    )
  })
})

describe('kubectl after client-side apply', () => {
  const before = deployment({ replicas: 1, paused: true })
  const annotated = (object: JsonObject): JsonObject => ({
    ...object,
    metadata: { ...(object.metadata as JsonObject), annotations: { [lastAppliedAnnotation]: JSON.stringify(before) } },
  })
  const live = stored(createManager().update(undefined, annotated(before), 'kubectl-client-side-apply'))

  it('takes over the fields that it applied, and updates the annotation', () => {
    const applied = createManager().apply(live, deployment({ replicas: 2 }), { manager: 'kubectl' })
    expect(applied.spec).toEqual({ replicas: 2, paused: true })
    const { annotations } = applied.metadata as { annotations: Record<string, string> }
    expect(annotations[lastAppliedAnnotation]).toBe(
      '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default"},"spec":{"replicas":2}}\n',
    )
  })

  it('conflicts on fields that another manager changed', () => {
    const changed = createManager().update(live, { ...live, spec: { replicas: 5, paused: true } }, 'other')
    expect(
      failure(() => createManager().apply(changed, deployment({ replicas: 2, paused: false }), { manager: 'kubectl' }))
        .message,
    ).toBe('Apply failed with 1 conflict: conflict with "other" using apps/v1: .spec.replicas')
  })

  it('is the only manager with this privilege', () => {
    expect(failure(() => createManager().apply(live, deployment({ replicas: 2 }), { manager: 'me' })).code).toBe(409)
  })

  it('conflicts when the annotation is of another version or not JSON', () => {
    const broken = {
      ...live,
      metadata: { ...(live.metadata as JsonObject), annotations: { [lastAppliedAnnotation]: '{' } },
    }
    expect(failure(() => createManager().apply(broken, deployment({ replicas: 2 }), { manager: 'kubectl' })).code).toBe(
      409,
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
