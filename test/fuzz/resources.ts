/** A resource with a valid object, from which mutated ones are derived. */
export interface FuzzedResource {
  readonly path: string
  readonly apiVersion: string
  readonly kind: string
  readonly good: Readonly<Record<string, unknown>>
  readonly subresources: readonly string[]
}

const template = {
  metadata: { labels: { a: 'b' } },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i',
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        env: [{ name: 'E', value: 'v' }],
        resources: { requests: { cpu: '100m' }, limits: { memory: '1Gi' } },
      },
    ],
  },
}
const workload = { replicas: 2, selector: { matchLabels: { a: 'b' } }, template }
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }
const openSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', minimum: 0, default: 1 },
        items: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, value: { type: 'string' } },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
        either: { 'x-kubernetes-int-or-string': true },
        open: openSchema,
      },
      'x-kubernetes-validations': [{ rule: 'self.size < 100', message: 'too large' }],
    },
    status: openSchema,
  },
}

/** Definition of the custom kind. */
export const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.fuzz.example.com' },
  spec: {
    group: 'fuzz.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
      },
    ],
  },
}

const space = '/namespaces/fuzz'

/** Kinds of many shapes: flat, nested, with behaviour, cluster-scoped, custom, never stored. */
export const fuzzedResources: readonly FuzzedResource[] = [
  core('ConfigMap', 'configmaps', { data: { k: 'v' }, binaryData: { b: 'AAEC' } }),
  core('Secret', 'secrets', { type: 'Opaque', stringData: { k: 'v' } }),
  core('Pod', 'pods', { spec: template.spec }, [
    'status',
    'log',
    'eviction',
    'binding',
    'ephemeralcontainers',
    'resize',
  ]),
  core('Service', 'services', { spec: { type: 'NodePort', ports: [{ port: 80, name: 'p' }], selector: { a: 'b' } } }, [
    'status',
  ]),
  core('ServiceAccount', 'serviceaccounts', {}, ['token']),
  core('ResourceQuota', 'resourcequotas', { spec: { hard: { 'count/leases.coordination.k8s.io': '100000' } } }, [
    'status',
  ]),
  core('LimitRange', 'limitranges', { spec: { limits: [{ type: 'Pod', max: { cpu: '1000' } }] } }),
  core(
    'PersistentVolumeClaim',
    'persistentvolumeclaims',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    ['status'],
  ),
  core('Event', 'events', {
    involvedObject: { kind: 'Pod', name: 'a', namespace: 'fuzz' },
    reason: 'r',
    type: 'Normal',
  }),
  { path: '/api/v1/namespaces', apiVersion: 'v1', kind: 'Namespace', good: {}, subresources: ['status', 'finalize'] },
  {
    path: '/api/v1/nodes',
    apiVersion: 'v1',
    kind: 'Node',
    good: { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
    subresources: ['status'],
  },
  grouped('apps/v1', 'Deployment', 'deployments', { spec: workload }, ['status', 'scale']),
  grouped('apps/v1', 'StatefulSet', 'statefulsets', { spec: { ...workload, serviceName: 's' } }, ['scale']),
  grouped('batch/v1', 'Job', 'jobs', { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } }, [
    'status',
  ]),
  grouped('batch/v1', 'CronJob', 'cronjobs', {
    spec: {
      schedule: '* * * * *',
      jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
    },
  }),
  grouped('autoscaling/v1', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', {
    spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
  }),
  grouped('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', {
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { kind: 'Deployment', name: 'd' },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ],
    },
  }),
  grouped(
    'networking.k8s.io/v1',
    'Ingress',
    'ingresses',
    {
      spec: {
        rules: [
          {
            host: 'h',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
      },
    },
    ['status'],
  ),
  grouped('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies', {
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] },
  }),
  grouped('coordination.k8s.io/v1', 'Lease', 'leases', {
    spec: { holderIdentity: 'h', renewTime: '2026-01-01T00:00:00.000000Z' },
  }),
  grouped('events.k8s.io/v1', 'Event', 'events', {
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'c',
    reportingInstance: 'i',
    action: 'a',
    reason: 'r',
    type: 'Normal',
    regarding: { namespace: 'fuzz' },
  }),
  grouped('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices', {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
    ports: [{ port: 80 }],
  }),
  grouped('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets', { spec: { minAvailable: '50%', selector: {} } }, [
    'status',
  ]),
  grouped('rbac.authorization.k8s.io/v1', 'Role', 'roles', { rules }),
  grouped('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings', {
    subjects: [{ kind: 'User', name: 'u' }],
    roleRef,
  }),
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    good: { rules },
    subresources: [],
  },
  {
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    good: { spec: widgetDefinition.spec },
    subresources: ['status'],
  },
  {
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    good: { spec: { request: 'AAEC', signerName: 'a.b/c', usages: ['client auth'] } },
    subresources: ['status', 'approval'],
  },
  {
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    good: { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
    subresources: [],
  },
  {
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    good: { spec: { user: 'u', groups: ['g'], nonResourceAttributes: { path: '/x', verb: 'get' } } },
    subresources: [],
  },
  {
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    good: { spec: { token: 'a.b.c' } },
    subresources: [],
  },
  {
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
    good: {},
    subresources: [],
  },
  grouped(
    'fuzz.example.com/v1',
    'Widget',
    'widgets',
    { spec: { size: 3, items: [{ name: 'a', value: 'b' }], either: '50%', open: { any: ['thing'] } } },
    ['status', 'scale'],
  ),
]

function core(
  kind: string,
  plural: string,
  good: Record<string, unknown>,
  subresources: readonly string[] = [],
): FuzzedResource {
  return { path: `/api/v1${space}/${plural}`, apiVersion: 'v1', kind, good, subresources }
}

function grouped(
  apiVersion: string,
  kind: string,
  plural: string,
  good: Record<string, unknown>,
  subresources: readonly string[] = [],
): FuzzedResource {
  return { path: `/apis/${apiVersion}${space}/${plural}`, apiVersion, kind, good, subresources }
}
