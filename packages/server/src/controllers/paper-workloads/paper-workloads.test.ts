import { ManualClock } from '@hykube/machinery/base'
import type { Client, Stored } from '@hykube/runtime/client'
import { eventually } from '@hykube/runtime/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeWorld } from '../testing/index.ts'
import { runPaperWorkloadsController } from './controller.ts'
import { templateHash } from './template-hash.ts'

const at = (group: string, resource: string, name?: string) =>
  ({ group, version: 'v1', resource, namespace: 'a', ...(name === undefined ? {} : { name }) }) as {
    group: string
    version: string
    resource: string
    namespace: string
    name: string
  }
const deployment = at('apps', 'deployments', 'web')
const replicaSets = { group: 'apps', version: 'v1', resource: 'replicasets', namespace: 'a' }

let world: FakeWorld
let client: Client
let running: Promise<void>

beforeEach(() => {
  world = new FakeWorld({ clock: new ManualClock(1_800_000_000_000) })
  client = world.api.client('team')
  running = runPaperWorkloadsController(world.context, 'running', world.stop.signal)
})

afterEach(async () => {
  world.stop.abort()
  await running
  expect(world.errors).toEqual([])
})

const template = (image: string) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image }] },
})

function createDeployment(spec: object = {}): Promise<Stored> {
  return client.create(deployment, {
    metadata: { name: 'web', annotations: { 'kubernetes.io/change-cause': 'why' } },
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('one'), ...spec },
  })
}

interface ReplicaSet extends Stored {
  readonly spec: {
    readonly replicas: number
    readonly template: { readonly spec: { readonly containers: { readonly image: string }[] } }
  }
}

const sets = async () =>
  (await client.list<ReplicaSet>(replicaSets)).items
    .map(({ metadata, spec }) => ({
      image: spec.template.spec.containers[0]!.image,
      replicas: spec.replicas,
      revision: metadata.annotations?.['deployment.kubernetes.io/revision'],
    }))
    .sort((a, b) => (a.image < b.image ? -1 : 1))

async function withStatus(
  place: { group: string; version: string; resource: string; namespace: string; name: string },
  status: object,
) {
  return eventually(async () => {
    const object = await client.get(place)
    expect(object.status).toMatchObject(status)
    return object
  })
}

const setImage = (image: string) =>
  client.patch(deployment, { kind: 'merge', patch: { spec: { template: template(image) } } })

describe('a Deployment', () => {
  test('becomes available with a ReplicaSet of its template and revision', async () => {
    const { metadata } = await createDeployment()
    const { status } = await withStatus(deployment, {
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
    })
    const { conditions } = status as { conditions: { type: string; status: string; reason: string }[] }
    expect(conditions.map((each) => `${each.type} ${each.status} ${each.reason}`)).toEqual([
      'Available True MinimumReplicasAvailable',
      'Progressing True NewReplicaSetAvailable',
    ])
    const name = `web-${templateHash(template('one'))}`
    const set = await withStatus({ ...replicaSets, name }, { replicas: 2, readyReplicas: 2, availableReplicas: 2 })
    expect(set.metadata.ownerReferences).toMatchObject([{ uid: metadata.uid, controller: true }])
    expect(set.metadata.annotations).toMatchObject({
      'kubernetes.io/change-cause': 'why',
      'deployment.kubernetes.io/revision': '1',
    })
    expect(set.metadata.labels).toEqual({ app: 'web', 'pod-template-hash': templateHash(template('one')) })
  })

  test('keeps its rollout history, and a rollback gets a new revision', async () => {
    await createDeployment()
    await eventually(async () => expect(await sets()).toHaveLength(1))
    await setImage('two')
    await eventually(async () =>
      expect(await sets()).toEqual([
        { image: 'one', replicas: 0, revision: '1' },
        { image: 'two', replicas: 2, revision: '2' },
      ]),
    )
    await setImage('one')
    await eventually(async () =>
      expect(await sets()).toEqual([
        { image: 'one', replicas: 2, revision: '3' },
        { image: 'two', replicas: 0, revision: '2' },
      ]),
    )
    await eventually(async () =>
      expect((await client.get(deployment)).metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('3'),
    )
    const { items } = await client.list<Stored>(replicaSets)
    const numbers = items.map(({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision-history'])
    expect(numbers.filter((each) => each !== undefined)).toEqual(['1'])
  })

  test('deletes ReplicaSets beyond its history limit', async () => {
    await createDeployment({ revisionHistoryLimit: 1 })
    for (const image of ['two', 'three']) {
      await setImage(image)
      await eventually(async () => expect((await sets()).map((each) => each.image)).toContain(image))
    }
    await eventually(async () => expect((await sets()).map((each) => each.image)).toEqual(['three', 'two']))
  })

  test('scales down to zero', async () => {
    await createDeployment()
    await withStatus(deployment, { replicas: 2 })
    await client.patch(deployment, { kind: 'merge', patch: { spec: { replicas: 0 } } })
    await eventually(async () => expect((await client.get(deployment)).status).not.toHaveProperty('availableReplicas'))
    expect((await sets())[0]?.replicas).toBe(0)
  })

  test('starts no rollout while it is paused', async () => {
    await createDeployment({ paused: true })
    const { status } = await withStatus(deployment, { observedGeneration: 1 })
    expect(status).not.toHaveProperty('updatedReplicas')
    expect(await sets()).toEqual([])
  })

  test('recreates its ReplicaSet when it is deleted', async () => {
    await createDeployment()
    await eventually(async () => expect(await sets()).toHaveLength(1))
    await client.deleteCollection(replicaSets)
    await eventually(async () => expect(await sets()).toHaveLength(1))
  })

  test('adopts a matching ReplicaSet without a controller', async () => {
    await createDeployment()
    const name = `web-${templateHash(template('one'))}`
    await withStatus({ ...replicaSets, name }, { replicas: 2 })
    await client.patch({ ...replicaSets, name }, { kind: 'merge', patch: { metadata: { ownerReferences: null } } })
    await client.delete(deployment)
    const { metadata } = await createDeployment()
    await eventually(async () =>
      expect((await client.get({ ...replicaSets, name })).metadata.ownerReferences).toMatchObject([
        { uid: metadata.uid },
      ]),
    )
  })
})

describe('simulated running workloads', () => {
  const cases: [string, object, object][] = [
    [
      'apps/statefulsets',
      { replicas: 3 },
      { observedGeneration: 1, replicas: 3, readyReplicas: 3, updatedReplicas: 3, availableReplicas: 3 },
    ],
    [
      'apps/daemonsets',
      {},
      { desiredNumberScheduled: 1, numberReady: 1, updatedNumberScheduled: 1, numberAvailable: 1 },
    ],
    ['apps/replicasets', { replicas: 1 }, { replicas: 1, readyReplicas: 1 }],
    ['/replicationcontrollers', {}, { replicas: 1, readyReplicas: 1 }],
    [
      'batch/jobs',
      { completions: 2 },
      { succeeded: 2, completionTime: '2027-01-15T08:00:00Z', startTime: '2027-01-15T08:00:00Z' },
    ],
    ['/pods', { containers: [{ name: 'c' }] }, { phase: 'Running', containerStatuses: [{ name: 'c', ready: true }] }],
    [
      '/pods',
      { restartPolicy: 'Never', containers: [{ name: 'c' }] },
      { phase: 'Succeeded', containerStatuses: [{ state: { terminated: { exitCode: 0 } } }] },
    ],
    [
      '/persistentvolumeclaims',
      { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      { phase: 'Bound', capacity: { storage: '1Gi' } },
    ],
    ['/services', { type: 'LoadBalancer' }, { loadBalancer: { ingress: [{ ip: '127.0.0.1' }] } }],
  ]

  test.each(cases)('%s with %j', async (kind, spec, status) => {
    const [group = '', resource = ''] = kind.split('/')
    const place = at(group, resource, 'x')
    await client.create(place, { metadata: { name: 'x' }, spec })
    await withStatus(place, status)
    const revision = world.api.store.revision
    await client.create(at('', 'pods'), { metadata: { name: 'later' }, spec: {} })
    await withStatus(at('', 'pods', 'later'), { phase: 'Running' })
    expect(Number((await client.get(place)).metadata.resourceVersion)).toBeLessThanOrEqual(revision)
  })

  test('a completed Job is written once', async () => {
    await client.create(at('batch', 'jobs'), { metadata: { name: 'x' }, spec: {} })
    const { status } = await withStatus(at('batch', 'jobs', 'x'), { succeeded: 1 })
    const { conditions } = status as { conditions: { type: string; status: string }[] }
    expect(conditions.map(({ type, status: state }) => `${type} ${state}`)).toEqual([
      'SuccessCriteriaMet True',
      'Complete True',
    ])
  })

  test('a suspended Job waits until it is resumed', async () => {
    const job = at('batch', 'jobs', 'x')
    await client.create(job, { metadata: { name: 'x' }, spec: { suspend: true } })
    await withStatus(job, { conditions: [{ type: 'Suspended', status: 'True' }] })
    await client.patch(job, { kind: 'merge', patch: { spec: { suspend: false } } })
    await withStatus(job, { succeeded: 1, conditions: [{ type: 'Suspended', status: 'False' }, {}, {}] })
  })

  test('a Service that is no longer a LoadBalancer loses its address', async () => {
    const service = at('', 'services', 'x')
    await client.create(service, { metadata: { name: 'x' }, spec: { type: 'LoadBalancer' } })
    await withStatus(service, { loadBalancer: { ingress: [{}] } })
    await client.patch(service, { kind: 'merge', patch: { spec: { type: 'ClusterIP' } } })
    await eventually(async () => expect((await client.get(service)).status).toEqual({ loadBalancer: {} }))
  })

  test('a ClusterIP Service is not changed', async () => {
    await client.create(at('', 'services'), { metadata: { name: 'x' }, spec: { type: 'ClusterIP' } })
    await client.create(at('', 'pods'), { metadata: { name: 'later' }, spec: {} })
    await withStatus(at('', 'pods', 'later'), { phase: 'Running' })
    expect(await client.get(at('', 'services', 'x'))).not.toHaveProperty('status')
  })
})
