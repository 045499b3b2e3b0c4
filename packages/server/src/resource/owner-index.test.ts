import { describe, expect, test } from 'vitest'
import { dependentFromKey, ownerFromKey, ownerIndexOperations } from './owner-index.ts'

const resource = { group: 'apps', resource: 'replicasets' }
const place = { cluster: 'team', namespace: 'a', name: 'x' }
const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'Owner', name: 'o', uid })
const owned = (...uids: string[]) => ({ metadata: { uid: 'own', ownerReferences: uids.map(owner) } })
const marked = (...finalizers: string[]) => ({
  metadata: { uid: 'own', deletionTimestamp: '2026-01-01T00:00:00Z', finalizers },
})

type Side = Parameters<typeof ownerIndexOperations>[2]

function operations(before: Side, after: Side): string[] {
  return ownerIndexOperations(resource, place, before, after).map((operation) => {
    if (operation.kind !== 'put' && operation.kind !== 'delete') throw new Error(operation.kind)
    expect(dependentFromKey(operation.key)).toEqual({ ...resource, ...place })
    return `${operation.kind} ${ownerFromKey(operation.key).uid}`
  })
}

describe('the owner index', () => {
  const cases: [string, Side, Side, string[]][] = [
    ['an object without owners', undefined, { metadata: {} }, []],
    ['a new dependent', undefined, owned('1', '2'), ['put 1', 'put 2']],
    ['a changed owner', owned('1', '2'), owned('2', '3'), ['delete 1', 'put 3']],
    ['a deleted dependent', owned('1'), undefined, ['delete 1']],
    ['an object with foreground deletion', {}, marked('foregroundDeletion'), ['put own']],
    ['an object with orphan deletion', {}, marked('orphan'), ['put own']],
    ['an object with another finalizer', {}, marked('example.com/hold'), []],
    ['an object that is finally removed', marked('orphan'), undefined, ['delete own']],
  ]

  test.each(cases)('%s', (_, before, after, expected) => {
    expect(operations(before, after)).toEqual(expected)
  })
})
