import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { expect, test } from 'vitest'
import { AdmissionChain, type AdmissionRequest } from '../../chain.ts'
import { limitRanger } from './limit-ranger.ts'

function range(...limits: object[]): KubernetesObject {
  return { metadata: { name: 'r' }, spec: { limits } }
}

function chainWith(...ranges: KubernetesObject[]): AdmissionChain {
  return new AdmissionChain([limitRanger({ hasLimitRanges: () => true, read: async () => ranges })])
}

function request(kind: 'Pod' | 'PersistentVolumeClaim', object: KubernetesObject): AdmissionRequest {
  const plural = kind === 'Pod' ? 'pods' : 'persistentvolumeclaims'
  return {
    operation: 'CREATE',
    cluster: 'root',
    type: { group: '', names: { kind, plural } } as ResourceType,
    subresource: '',
    namespace: 'n',
    name: 'a',
    object,
    old: undefined,
    user: { name: 'u', groups: [] },
    dryRun: false,
    warn: () => {},
  }
}

function pod(resources: object, name = 'c'): KubernetesObject {
  return { metadata: { name: 'a' }, spec: { containers: [{ name, resources }] } }
}

test('sets defaults in containers, and records them in an annotation', async () => {
  const item = { type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '500m' } }
  const given = pod({ limits: { cpu: '2' } })
  expect(await chainWith(range(item)).mutate(request('Pod', given))).toMatchObject({
    metadata: {
      annotations: {
        'kubernetes.io/limit-ranger':
          'LimitRanger plugin set: cpu request for container c; memory limit for container c',
      },
    },
    spec: {
      containers: [{ name: 'c', resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '500m' } } }],
    },
  })
})

test('does not change a pod with all values set', async () => {
  const given = pod({ limits: { cpu: '1' }, requests: { cpu: '1' } })
  const chain = chainWith(range({ type: 'Container', default: { cpu: '2' }, defaultRequest: { cpu: '2' } }))
  expect(await chain.mutate(request('Pod', given))).toBe(given)
})

test.each([
  [{ min: { cpu: '1' } }, {}, 'minimum cpu usage per Container is 1.  No request is specified'],
  [{ min: { cpu: '1' } }, { requests: { cpu: '100m' } }, 'minimum cpu usage per Container is 1, but request is 100m'],
  [{ max: { cpu: '1' } }, {}, 'maximum cpu usage per Container is 1.  No limit is specified'],
  [
    { max: { memory: '1Gi' } },
    { limits: { memory: '2Gi' } },
    'maximum memory usage per Container is 1Gi, but limit is 2Gi',
  ],
  [
    { maxLimitRequestRatio: { cpu: '2' } },
    { requests: { cpu: '100m' }, limits: { cpu: '250m' } },
    'cpu max limit to request ratio per Container is 2, but provided ratio is 2.500000',
  ],
])('%j rejects %j', async (bounds, resources, why) => {
  const chain = chainWith(range({ type: 'Container', ...bounds }))
  await expect(chain.validate(request('Pod', pod(resources)))).rejects.toThrow(`pods "a" is forbidden: ${why}`)
})

test('accepts values within the limits, also at their bounds', async () => {
  const bounds = { min: { cpu: '100m' }, max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '10' } }
  const chain = chainWith(range({ type: 'Container', ...bounds }, { type: 'Pod', max: { cpu: '1' } }))
  await chain.validate(request('Pod', pod({ requests: { cpu: '100m' }, limits: { cpu: '1' } })))
})

test('checks the sum of a pod’s containers, and reports all problems together', async () => {
  const chain = chainWith(range({ type: 'Pod', max: { cpu: '1', memory: '1Gi' } }))
  const container = { resources: { limits: { cpu: '1', memory: '1Gi' } } }
  const given = {
    spec: {
      containers: [
        { name: 'a', ...container },
        { name: 'b', ...container },
      ],
    },
  }
  await expect(chain.validate(request('Pod', given))).rejects.toThrow(
    'pods "a" is forbidden: [maximum cpu usage per Pod is 1, but limit is 2, maximum memory usage per Pod is 1Gi, but limit is 2Gi]',
  )
})

test('limits claims of storage', async () => {
  const chain = chainWith(range({ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }))
  const claim = { spec: { resources: { requests: { storage: '2Gi' } } } }
  await expect(chain.validate(request('PersistentVolumeClaim', claim))).rejects.toThrow(
    'maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi',
  )
})
