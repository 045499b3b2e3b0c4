import { describe, expect, it } from 'vitest'
import { type Condition, findCondition, hasCondition, withCondition, withoutCondition } from './condition.ts'
import {
  validateFinalizers,
  validateNoNewFinalizers,
  validateQualifiedFinalizers,
  withFinalizer,
  withoutFinalizer,
} from './finalizers.ts'
import { generateName } from './generate-name.ts'
import {
  compareVersions,
  groupVersionFromText,
  groupVersionKindToText,
  groupVersionToText,
} from './group-version-kind.ts'
import { dnsSubdomainName } from './names.ts'
import type { ObjectMeta, OwnerReference } from './object-meta.ts'
import { controllerOf, uniqueOwnerReferences, validateOwnerReferences } from './owner-references.ts'
import { validateFieldManager, validateObjectMeta, validateObjectMetaUpdate } from './validate-object-meta.ts'

describe('group and version', () => {
  it.each([
    ['apps/v1', { group: 'apps', version: 'v1' }],
    ['v1', { group: '', version: 'v1' }],
    ['', { group: '', version: '' }],
    ['a/b/c', undefined],
  ])('%j', (text, expected) => expect(groupVersionFromText(text)).toEqual(expected))

  it('round-trip through text', () => {
    expect(groupVersionToText({ group: 'apps', version: 'v1' })).toBe('apps/v1')
    expect(groupVersionToText({ group: '', version: 'v1' })).toBe('v1')
    expect(groupVersionKindToText({ group: '', version: 'v1', kind: 'Pod' })).toBe('/v1, Kind=Pod')
  })

  it('are ordered by preference', () => {
    const versions = ['foo10', 'v1', 'v11alpha2', 'v2', 'foo1', 'v3beta1', 'v10', 'v12alpha1', 'v11beta2', 'v10beta3']
    expect(versions.sort(compareVersions)).toEqual(
      'v10 v2 v1 v11beta2 v10beta3 v3beta1 v12alpha1 v11alpha2 foo1 foo10'.split(' '),
    )
  })
})

const owner: OwnerReference = { apiVersion: 'v1', kind: 'A', name: 'a', uid: '1' }

describe('owner references', () => {
  it('have at most one controller', () => {
    const metadata: ObjectMeta = { ownerReferences: [owner, { ...owner, uid: '2', controller: true }] }
    expect(controllerOf(metadata)?.uid).toBe('2')
    const two = [
      { ...owner, controller: true },
      { ...owner, uid: '2', controller: true },
    ]
    expect(validateOwnerReferences(two, 'f')[0]?.message).toContain(
      'Only one reference can have Controller set to true. Found "true" in references for A/a and A/a',
    )
  })

  it('require apiVersion, kind, name and uid', () => {
    expect(validateOwnerReferences([{ apiVersion: 'apps/', kind: '', name: '', uid: '' }], 'f')).toMatchObject([
      { field: 'f.apiVersion', message: 'Invalid value: "apps/": version must not be empty' },
      { field: 'f.kind', message: 'Invalid value: "": must not be empty' },
      { field: 'f.name' },
      { field: 'f.uid' },
    ])
    expect(validateOwnerReferences([{ ...owner, kind: 'Event' }], 'f')).toHaveLength(1)
  })

  it('are deduplicated by uid, keeping the first', () => {
    expect(uniqueOwnerReferences([owner, { ...owner, name: 'b' }])).toEqual({ references: [owner], duplicates: ['1'] })
  })
})

describe('finalizers', () => {
  it('need a domain for kinds that require it, unless standard or already present', () => {
    const causes = validateQualifiedFinalizers(['x', 'orphan', 'a.io/y', 'old'], ['old'], 'f')
    expect(causes.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'f[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
    ])
  })

  it('are added and removed without copying an unchanged list', () => {
    const list = ['a.io/x']
    expect(withFinalizer(list, 'a.io/x')).toBe(list)
    expect(withFinalizer(undefined, 'b')).toEqual(['b'])
    expect(withoutFinalizer(list, 'b')).toBe(list)
    expect(withoutFinalizer(list, 'a.io/x')).toEqual([])
  })

  it('are qualified names, and not both of orphan and foregroundDeletion', () => {
    expect(validateFinalizers(['a.io/x'], 'f')).toEqual([])
    expect(validateFinalizers(['a b'], 'f')).toHaveLength(1)
    expect(validateFinalizers(['orphan', 'foregroundDeletion'], 'f')[0]?.message).toBe(
      'Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    )
  })

  it('cannot be added while an object is being deleted', () => {
    expect(validateNoNewFinalizers(['a'], ['a', 'b'], 'f')).toEqual([])
    expect(validateNoNewFinalizers(['c', 'b', 'a'], ['a'], 'f')).toEqual([
      {
        reason: 'FieldValueForbidden',
        field: 'f',
        message:
          'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"b", "c"}',
      },
    ])
  })
})

describe('metadata', () => {
  const rules = { namespaced: true, name: dnsSubdomainName }

  it('requires a name and a namespace', () => {
    expect(validateObjectMeta({}, rules)).toEqual([
      {
        reason: 'FieldValueRequired',
        field: 'metadata.name',
        message: 'Required value: name or generateName is required',
      },
      { reason: 'FieldValueRequired', field: 'metadata.namespace', message: 'Required value' },
    ])
    expect(validateObjectMeta({ name: 'a', namespace: 'b' }, { ...rules, namespaced: false })).toEqual([
      {
        reason: 'FieldValueForbidden',
        field: 'metadata.namespace',
        message: 'Forbidden: not allowed on this type',
      },
    ])
  })

  it('is validated in all of its fields', () => {
    const bad: ObjectMeta = {
      name: 'A',
      generateName: 'AA-',
      namespace: 'B',
      generation: -1,
      labels: { '!': '' },
      annotations: { '!': '' },
      ownerReferences: [{ ...owner, uid: '' }],
      finalizers: ['!'],
      managedFields: [{ manager: 'a\u0001' }],
    }
    expect(validateObjectMeta(bad, rules).map(({ field }) => field)).toEqual([
      'metadata.generateName',
      'metadata.name',
      'metadata.namespace',
      'metadata.generation',
      'metadata.labels',
      'metadata.annotations',
      'metadata.ownerReferences.uid',
      'metadata.finalizers',
      'metadata.managedFields[0].operation',
      'metadata.managedFields[0].manager',
    ])
  })

  it('rejects changes to immutable fields on update', () => {
    const before: ObjectMeta = { name: 'a', namespace: 'n', uid: '1', generation: 2, resourceVersion: '5' }
    expect(validateObjectMetaUpdate(before, before)).toEqual([])
    expect(validateObjectMetaUpdate({ name: 'b', namespace: 'n', uid: '2', generation: 1 }, before)).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'metadata.resourceVersion',
        message: 'Invalid value: "": must be specified for an update',
      },
      {
        reason: 'FieldValueInvalid',
        field: 'metadata.generation',
        message: 'Invalid value: 1: must not be decremented',
      },
      { reason: 'FieldValueInvalid', field: 'metadata.name', message: 'Invalid value: "b": field is immutable' },
      { reason: 'FieldValueInvalid', field: 'metadata.uid', message: 'Invalid value: "2": field is immutable' },
    ])
    const deleting = { ...before, deletionTimestamp: '2026-01-01T00:00:00Z' }
    expect(validateObjectMetaUpdate({ ...deleting, finalizers: ['a'] }, deleting)).toHaveLength(1)
  })

  it('rejects field managers with unprintable characters', () => {
    expect(validateFieldManager('kubectl-edit é', 'f')).toEqual([])
    expect(validateFieldManager('x'.repeat(129), 'f')).toHaveLength(1)
    expect(validateFieldManager('é\n', 'f')).toMatchObject([
      { message: 'Invalid value: "é\\n": invalid character U+000A (at position 2)' },
    ])
  })
})

it('generateName appends five characters without vowels', () => {
  expect(generateName('web-')).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
  expect(generateName('x'.repeat(100))).toHaveLength(63)
  expect(generateName('a-', () => 0)).toBe('a-bbbbb')
  expect(generateName('a-', () => 0.999_999)).toBe('a-99999')
})

describe('conditions', () => {
  const ready: Condition = { type: 'Ready', status: 'False', lastTransitionTime: 't1', reason: 'New', message: '' }

  it('change their transition time only with their status', () => {
    const list = withCondition(undefined, ready)
    expect(withCondition(list, { ...ready, lastTransitionTime: 't2' })).toBe(list)
    expect(withCondition(list, { ...ready, lastTransitionTime: 't2', reason: 'Other' })).toEqual([
      { ...ready, reason: 'Other' },
    ])
    expect(withCondition(list, { ...ready, status: 'True', lastTransitionTime: 't2' })[0]?.lastTransitionTime).toBe(
      't2',
    )
  })

  it('are found and removed by type', () => {
    const list = [ready]
    expect(findCondition(list, 'Ready')).toBe(ready)
    expect(hasCondition(list, 'Ready')).toBe(false)
    expect(hasCondition(list, 'Ready', 'False')).toBe(true)
    expect(withoutCondition(list, 'Other')).toBe(list)
    expect(withoutCondition(list, 'Ready')).toEqual([])
  })
})
