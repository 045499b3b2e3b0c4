import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { describe, expect, it } from 'vitest'
import { builtInResourceTypes } from './built-in-types.ts'

function typeOf(kind: string, version = 'v1', group?: string): ResourceType {
  return builtInResourceTypes().find(
    (type) => type.names.kind === kind && type.version === version && (group === undefined || type.group === group),
  )!
}

/** Applies the create strategy to a client's object. */
function created(type: ResourceType, object: KubernetesObject): KubernetesObject {
  return type.strategy.prepareForCreate(type.setDefaults(type.prune(object).object))
}

const deployment: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }] },
    },
  },
}

describe('built-in kinds', () => {
  it('are complete, and every lazy part can be built', () => {
    const types = builtInResourceTypes()
    expect(types.length).toBeGreaterThan(60)
    for (const type of types) {
      const { object } = type.prune({ metadata: { name: 'a' } })
      const complete = created(type, object)
      expect(type.shape().kind).toBe('struct')
      expect(type.columns().cells(complete, 0)).toHaveLength(type.columns().definitions.length)
      expect(type.protobuf!().decode(type.protobuf!().encode(complete)).metadata?.name).toBe('a')
      expect(type.openApi!.definitions().schema).toMatchObject({ type: 'object' })
      type.validate(complete, undefined)
      for (const read of type.selectableFields.values()) expect(read(complete)).toBeTypeOf('string')
    }
  })

  it('report and drop unknown fields', () => {
    const pruned = typeOf('Deployment').prune({
      metadata: {},
      spec: { template: { spec: { containers: [{ name: 'a', x: 1 }] } }, y: 2 },
    })
    expect(pruned.unknownFields).toEqual(['spec.template.spec.containers[0].x', 'spec.y'])
    expect(JSON.stringify(pruned.object)).not.toContain('"x"')
  })

  it.each([
    [
      { spec: { replicas: 'x' } },
      'cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      { spec: { replicas: 1.5 } },
      'cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      { metadata: { labels: { a: 1 } } },
      'cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [{ spec: { template: { spec: { overhead: { cpu: 'x' } } } } }, 'quantities must match the regular expression'],
  ])('reject %j with the message of the Kubernetes decoder', (object, reason) => {
    expect(() => typeOf('Deployment').prune(object as KubernetesObject)).toThrow(reason)
  })

  it('never modify their input', () => {
    const before = structuredClone(deployment)
    created(typeOf('Deployment'), deployment)
    expect(deployment).toEqual(before)
  })
})

describe('defaults', () => {
  it('of a Deployment match Kubernetes', () => {
    expect(created(typeOf('Deployment'), deployment)).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', generation: 1 },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [
              {
                name: 'web',
                image: 'nginx',
                ports: [{ containerPort: 80, protocol: 'TCP' }],
                resources: {},
                terminationMessagePath: '/dev/termination-log',
                terminationMessagePolicy: 'File',
                imagePullPolicy: 'Always',
              },
            ],
            restartPolicy: 'Always',
            terminationGracePeriodSeconds: 30,
            dnsPolicy: 'ClusterFirst',
            securityContext: {},
            schedulerName: 'default-scheduler',
          },
        },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
      status: {},
    })
  })

  it.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.27', 'IfNotPresent'],
    ['host:5000/nginx', 'Always'],
    ['nginx@sha256:aa', 'IfNotPresent'],
  ])('pull %s %s', (image, policy) => {
    const pod = created(typeOf('Pod'), { metadata: {}, spec: { containers: [{ name: 'a', image }] } })
    expect(JSON.stringify(pod)).toContain(`"imagePullPolicy":"${policy}"`)
  })

  it('of other kinds', () => {
    const secret = created(typeOf('Secret'), { metadata: {}, stringData: { a: 'hällo' } })
    expect(secret).toEqual({ metadata: {}, type: 'Opaque', data: { a: 'aMOkbGxv' } })
    const namespace = created(typeOf('Namespace'), { metadata: { name: 'a' } })
    expect(namespace).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 'a' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    })
    const service = created(typeOf('Service'), { metadata: {}, spec: { ports: [{ port: 80 }] } })
    expect(service.spec).toMatchObject({
      ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
    })
  })
})

describe('status of a new object', () => {
  it.each([
    ['Node', { capacity: { memory: '1Gi' } }],
    ['PersistentVolumeClaim', undefined],
  ])('%s', (kind, capacity) => {
    const object = created(typeOf(kind), { metadata: {}, spec: {}, status: { capacity: { memory: '1Gi' } } })
    expect((object.status as { capacity?: unknown } | undefined)?.capacity).toEqual(capacity?.capacity)
  })
})

describe('updates', () => {
  const type = typeOf('Deployment')
  const old: KubernetesObject = { ...created(type, deployment), status: { replicas: 3 } }

  it('keep the status and increment the generation on spec changes', () => {
    const now = { ...old, spec: { ...(old.spec as object), replicas: 2 }, status: { replicas: 9 } }
    const prepared = type.strategy.prepareForUpdate(now, old)
    expect(prepared.status).toEqual({ replicas: 3 })
    expect(prepared.metadata?.generation).toBe(2)
  })

  it('ignore labels, but count annotations of a Deployment', () => {
    const labelled = { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } }
    expect(type.strategy.prepareForUpdate(labelled, old).metadata?.generation).toBe(1)
    const annotated = { ...old, metadata: { ...old.metadata, annotations: { a: 'b' } } }
    expect(type.strategy.prepareForUpdate(annotated, old).metadata?.generation).toBe(2)
  })

  it('of the status leave the rest unchanged', () => {
    const now = { ...old, spec: {}, status: { replicas: 5 } }
    expect(type.strategy.prepareForStatusUpdate(now, old)).toEqual({ ...old, status: { replicas: 5 } })
  })

  it.each([
    [
      'ConfigMap',
      { immutable: true, data: { a: '1' } },
      { immutable: true, data: { a: '2' } },
      'data',
      'FieldValueForbidden',
    ],
    ['Secret', { type: 'Opaque' }, { type: 'x/y' }, 'type', 'FieldValueInvalid'],
    [
      'Service',
      { spec: { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] } },
      { spec: { clusterIP: '10.0.0.2', clusterIPs: ['10.0.0.1'] } },
      'spec.clusterIPs[0]',
      'FieldValueInvalid',
    ],
    [
      'RoleBinding',
      { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' } },
      { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'b' } },
      'roleRef',
      'FieldValueInvalid',
    ],
  ])('of %s reject changes of immutable fields', (kind, before, after, field, reason) => {
    const causes = typeOf(kind).validate({ kind, metadata: {}, ...after }, { kind, metadata: {}, ...before })
    expect(causes).toContainEqual(expect.objectContaining({ field, reason }))
  })
})

describe('validation', () => {
  it.each([
    ['Deployment', { spec: {} }, 'spec.selector', 'FieldValueRequired'],
    [
      'Deployment',
      { spec: { selector: { matchLabels: { a: 'b' } }, template: {} } },
      'spec.template.metadata.labels',
      'FieldValueInvalid',
    ],
    ['Pod', { spec: { containers: [] } }, 'spec.containers', 'FieldValueRequired'],
    ['Pod', { spec: { containers: [{ name: 'A_', image: 'x' }] } }, 'spec.containers[0].name', 'FieldValueInvalid'],
    ['Service', { spec: { ports: [{ port: 0 }] } }, 'spec.ports[0].port', 'FieldValueInvalid'],
    ['Role', { rules: [{ verbs: [] }] }, 'rules[0].verbs', 'FieldValueRequired'],
    [
      'Job',
      { spec: { template: { spec: { restartPolicy: 'Always' } } } },
      'spec.template.spec.restartPolicy',
      'FieldValueRequired',
    ],
    ['CronJob', { spec: { schedule: 'x' } }, 'spec.schedule', 'FieldValueInvalid'],
    ['ConfigMap', { data: { 'a b': '' } }, 'data[a b]', 'FieldValueInvalid'],
    ['PersistentVolumeClaim', { spec: {} }, 'spec.accessModes', 'FieldValueRequired'],
  ])('%s %j', (kind, object, field, reason) => {
    const causes = typeOf(kind).validate({ kind, metadata: {}, ...object }, undefined)
    expect(causes).toContainEqual(expect.objectContaining({ field, reason }))
  })

  it('accepts a valid Deployment', () => {
    expect(typeOf('Deployment').validate(created(typeOf('Deployment'), deployment), undefined)).toEqual([])
  })
})

describe('tables', () => {
  const now = Date.parse('2026-01-01T00:05:30Z')
  const metadata = { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' }

  it.each([
    [
      'Deployment',
      { spec: { replicas: 3 }, status: { readyReplicas: 1, updatedReplicas: 2 } },
      ['a', '1/3', 2, 0, '5m30s'],
    ],
    ['ConfigMap', { data: { x: '', y: '' }, binaryData: { z: '' } }, ['a', 3, '5m30s']],
    ['Secret', { type: 'Opaque', data: { x: '' } }, ['a', 'Opaque', 1, '5m30s']],
    [
      'Service',
      { spec: { type: 'ClusterIP', clusterIP: '10.0.0.1', ports: [{ port: 80, protocol: 'TCP' }] } },
      ['a', 'ClusterIP', '10.0.0.1', '<none>', '80/TCP', '5m30s'],
    ],
    ['Pod', { spec: { containers: [{}, {}] }, status: { phase: 'Pending' } }, ['a', '0/2', 'Pending', '0', '5m30s']],
    ['Lease', { spec: { holderIdentity: 'h' } }, ['a', 'h', '5m30s']],
    ['DeviceClass', {}, ['a', '5m30s']],
  ])('of %s match Kubernetes', (kind, object, cells) => {
    const columns = typeOf(kind).columns()
    const narrow = columns
      .cells({ metadata, ...object }, now)
      .filter((_, index) => columns.definitions[index]!.priority === 0)
    expect(narrow).toEqual(cells)
  })

  it('of events begin with the time', () => {
    const columns = typeOf('Event', 'v1', '').columns()
    expect(columns.definitions.filter((column) => column.priority === 0).map((column) => column.name)).toEqual([
      'Last Seen',
      'Type',
      'Reason',
      'Object',
      'Message',
    ])
  })
})

describe('a CustomResourceDefinition', () => {
  it('keeps its schema through protobuf', () => {
    const type = typeOf('CustomResourceDefinition')
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'array', items: { type: 'string', enum: ['x', 1], default: 'x' } },
        b: { type: 'object', additionalProperties: true },
        c: { type: 'object', additionalProperties: { type: 'integer', minimum: 0, maximum: 1.5 } },
        d: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      },
    }
    const object = type.prune({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'things', kind: 'Thing' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: schema },
            subresources: { status: {} },
          },
        ],
      },
    })
    expect(object.unknownFields).toEqual([])
    expect(JSON.parse(JSON.stringify(object.object))).toMatchObject({
      spec: { versions: [{ schema: { openAPIV3Schema: schema }, subresources: { status: {} } }] },
    })
    const codec = type.protobuf!()
    expect(type.prune(codec.decode(codec.encode(object.object)))).toEqual(object)
  })
})

describe('kinds with two served versions', () => {
  it('convert events between both groups', () => {
    const place = typeOf('Event', 'v1', 'events.k8s.io').storage
    const core = typeOf('Event', 'v1', '').prune({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'a' },
      involvedObject: { kind: 'Pod', name: 'p' },
      message: 'm',
      count: 2,
    }).object
    const shown = place.fromStorage!(core)
    expect(shown).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      regarding: { kind: 'Pod', name: 'p' },
      note: 'm',
      deprecatedCount: 2,
    })
    expect(place.toStorage!(shown)).toEqual(core)
  })

  it('convert autoscalers between both versions', () => {
    const place = typeOf('HorizontalPodAutoscaler', 'v1').storage
    const v1 = {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3, targetCPUUtilizationPercentage: 70 },
    }
    const stored = place.toStorage!(v1)
    expect(stored.spec).toMatchObject({ metrics: [{ resource: { target: { averageUtilization: 70 } } }] })
    expect(place.fromStorage!(stored).spec).toEqual(v1.spec)
  })
})
