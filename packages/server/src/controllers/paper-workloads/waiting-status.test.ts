import { expect, test } from 'vitest'
import { runningStatuses } from './paper-status.ts'
import { waitingStatuses } from './waiting-status.ts'

const now = 1_800_000_000_000

test.each([
  ['apps/replicasets', { replicas: 2, readyReplicas: null, availableReplicas: null }],
  ['/replicationcontrollers', { replicas: 2, readyReplicas: null, availableReplicas: null }],
  ['apps/statefulsets', { replicas: 2, readyReplicas: null, availableReplicas: 0 }],
  ['apps/daemonsets', { desiredNumberScheduled: 1, numberReady: 0, numberUnavailable: 1 }],
  ['batch/jobs', { active: 1, ready: 0 }],
])('%s counts unscheduled pods', (resource, expected) => {
  expect(waitingStatuses.byResource.get(resource)!({ spec: { replicas: 2 } }, now)).toMatchObject(expected)
})

test('a Deployment is not available while its pods wait', () => {
  const status = waitingStatuses.deployment({ spec: { replicas: 2 } }, now, { current: 'web-1', rolledOut: true })
  expect(status).toMatchObject({ replicas: 2, readyReplicas: null, unavailableReplicas: 2 })
  expect(status.conditions).toMatchObject([
    { type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' },
    { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated' },
  ])
})

test('a Deployment with zero replicas is available', () => {
  const status = waitingStatuses.deployment({ spec: { replicas: 0 } }, now, { current: 'web-1', rolledOut: true })
  expect(status).toMatchObject({ unavailableReplicas: null })
  expect(status.conditions).toMatchObject([{ type: 'Available', status: 'True' }, { type: 'Progressing' }])
})

test('a waiting pod is not changed', () => {
  expect(waitingStatuses.byResource.has('/pods')).toBe(false)
})

test.each([
  ['running', runningStatuses, 'True'],
  ['waiting', waitingStatuses, 'Unknown'],
])('a node of %s workloads is written once', (_, { byResource }, ready) => {
  const status = byResource.get('/nodes')!
  const first = status({}, now)
  expect(first).toMatchObject({ conditions: [{ type: 'Ready', status: ready }] })
  expect(status({ status: first as Readonly<Record<string, never>> }, now + 1)).toBeUndefined()
})
