import type { KubernetesObject } from '@hykube/machinery/object'
import { describe, expect, test } from 'vitest'
import { amountsToObject } from '../amounts.ts'
import { calculateQuota } from './calculate.ts'
import { checkQuota } from './check.ts'
import { isInScopes } from './scopes.ts'
import { usageOf } from './usage.ts'

const pods = { group: '', plural: 'pods' }

function quota(hard: object, used: object, more: object = {}): KubernetesObject {
  return { metadata: { name: 'q' }, spec: { hard, ...more }, status: { hard, used } }
}

function pod(...containers: object[]): KubernetesObject {
  return { metadata: { name: 'a' }, spec: { containers: containers.map((each, at) => ({ name: `c${at}`, ...each })) } }
}

const small = { resources: { requests: { cpu: '100m' }, limits: { cpu: '1', memory: '1Gi' } } }

describe('the usage of objects', () => {
  test.each([
    [{ group: 'apps', plural: 'deployments' }, {}, { 'count/deployments.apps': '1' }],
    [{ group: '', plural: 'secrets' }, {}, { 'count/secrets': '1', secrets: '1' }],
    [
      pods,
      pod(small, small),
      {
        'count/pods': '1',
        cpu: '200m',
        'limits.cpu': '2',
        'limits.memory': '2Gi',
        pods: '1',
        'requests.cpu': '200m',
      },
    ],
    [pods, { ...pod(small), status: { phase: 'Succeeded' } }, { 'count/pods': '1' }],
    [
      { group: '', plural: 'services' },
      { spec: { type: 'NodePort', ports: [{}, {}] } },
      { 'count/services': '1', services: '1', 'services.nodeports': '2' },
    ],
    [
      { group: '', plural: 'persistentvolumeclaims' },
      { spec: { storageClassName: 'gold', resources: { requests: { storage: '1Gi' } } } },
      {
        'count/persistentvolumeclaims': '1',
        'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
        'gold.storageclass.storage.k8s.io/requests.storage': '1Gi',
        persistentvolumeclaims: '1',
        'requests.storage': '1Gi',
      },
    ],
  ])('%j', (resource, object, expected) => {
    expect(amountsToObject(usageOf(resource, object as KubernetesObject))).toEqual(expected)
  })

  test('init containers count when they request more than the others', () => {
    const object = pod(small)
    const spec = { ...(object.spec as object), initContainers: [{ name: 'i', resources: { requests: { cpu: '2' } } }] }
    expect(amountsToObject(usageOf(pods, { ...object, spec }))).toMatchObject({ 'requests.cpu': '2' })
  })
})

describe('a quota', () => {
  const check = (given: KubernetesObject, object = pod(small)) => checkQuota(given, pods, object, usageOf(pods, object))

  test('charges counted resources', () => {
    const verdict = check(quota({ pods: '2', 'limits.cpu': '3' }, { pods: '1', 'limits.cpu': '500m' }))
    if (verdict.kind !== 'charged') throw new Error(JSON.stringify(verdict))
    expect(amountsToObject(verdict.used)).toEqual({ pods: '2', 'limits.cpu': '1500m' })
  })

  test.each([
    [quota({ pods: '1' }, { pods: '1' }), 'exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1'],
    [quota({ pods: '1' }, {}), 'status unknown for quota: q, resources: pods'],
    [
      quota({ 'requests.memory': '1Gi', 'limits.cpu': '9' }, { 'requests.memory': '0', 'limits.cpu': '0' }),
      'failed quota: q: must specify requests.memory for: c0',
    ],
  ])('rejects with Kubernetes’ message', (given, why) => {
    expect(check(given)).toEqual({ kind: 'refused', why })
  })

  test('ignores other resources', () => {
    expect(check(quota({ services: '1' }, { services: '1' })).kind).toBe('unconcerned')
  })
})

test.each([
  [{ scopes: ['BestEffort'] }, pod({}), true],
  [{ scopes: ['BestEffort'] }, pod(small), false],
  [{ scopes: ['NotBestEffort', 'NotTerminating'] }, pod(small), true],
  [{ scopes: ['Terminating'] }, pod(small), false],
  [
    { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] } },
    { spec: { priorityClassName: 'high' } },
    true,
  ],
])('scopes %j', (spec, object, expected) => {
  expect(isInScopes({ spec }, pods, object as KubernetesObject)).toBe(expected)
  expect(isInScopes({ spec }, { group: '', plural: 'services' }, {})).toBe(false)
})

test('a count reads objects only where their content matters', async () => {
  const asked: string[] = []
  const status = await calculateQuota(
    quota({ 'count/widgets.example.com': '5', 'requests.cpu': '1', nonsense: '1' }, {}),
    {
      count: async ({ plural }) => {
        asked.push(`count ${plural}`)
        return 3
      },
      async *objects({ plural }) {
        asked.push(`read ${plural}`)
        yield* [pod(small), pod(small)]
      },
    },
  )
  expect(status.used).toEqual({ 'count/widgets.example.com': '3', 'requests.cpu': '200m', nonsense: '0' })
  expect(asked.sort()).toEqual(['count widgets', 'read pods'])
})
