import type { KubernetesObject } from '@hykube/machinery/object'
import type { Stored } from '@hykube/runtime/client'
import { describe, expect, test } from 'vitest'
import { planPods } from './pods.ts'
import type { Workload } from './workload.ts'

function workload(spec: object): Stored<Workload> {
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c' }] } }
  return {
    metadata: { name: 'a', namespace: 'n', uid: 'u' },
    spec: { template, ...spec },
  } as unknown as Stored<Workload>
}

function pod(name: string, uid = 'u'): Stored<KubernetesObject> {
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'a', uid, controller: true }]
  return { metadata: { name, ownerReferences } } as unknown as Stored<KubernetesObject>
}

describe('a ReplicaSet', () => {
  test('gets missing pods from its template', () => {
    const { create, remove } = planPods('replicasets', workload({ replicas: 3 }), [pod('a-1'), pod('other', 'v')])
    expect(create).toHaveLength(2)
    expect(create[0]).toMatchObject({
      metadata: {
        generateName: 'a-',
        labels: { app: 'a' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'a', uid: 'u', controller: true }],
      },
      spec: { containers: [{ name: 'c' }] },
    })
    expect(remove).toEqual([])
  })

  test('loses surplus pods of its own only', () => {
    const found = [pod('a-1'), pod('a-2'), pod('other', 'v')]
    expect(planPods('replicasets', workload({ replicas: 1 }), found)).toEqual({ create: [], remove: ['a-2'] })
  })
})

describe('a StatefulSet', () => {
  test.each([
    ['OrderedReady', ['a-0']],
    ['Parallel', ['a-0', 'a-1', 'a-2']],
  ])('%s gets %j', (podManagementPolicy, names) => {
    const { create } = planPods('statefulsets', workload({ replicas: 3, podManagementPolicy }), [])
    expect(create.map(({ metadata }) => metadata?.name)).toEqual(names)
  })

  test('without replicas has none', () => {
    expect(planPods('statefulsets', workload({ replicas: 0 }), [pod('a-0')])).toEqual({ create: [], remove: ['a-0'] })
  })
})
