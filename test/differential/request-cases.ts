import type { Question } from './exchange.ts'

/** Requests that are sent in this order to new servers. */
export interface RequestCase extends Question {
  readonly name: string
}

const core = '/api/v1/namespaces/diff'
const things = '/apis/diff.example.com/v1/namespaces/diff/things'
const json = 'application/json'
const merge = 'application/merge-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const jsonPatch = 'application/json-patch+json'
const apply = 'application/apply-patch+yaml'

function get(path: string, headers: Readonly<Record<string, string>> = {}): RequestCase {
  const accepting = headers.accept === undefined ? '' : ` accept ${headers.accept}`
  return { name: `get ${path}${accepting}`, method: 'GET', path, headers }
}

function post(name: string, path: string, body: unknown, type = json): RequestCase {
  return { name, method: 'POST', path, body, headers: { 'content-type': type } }
}

function put(name: string, path: string, body: unknown): RequestCase {
  return { name, method: 'PUT', path, body }
}

function patch(name: string, path: string, body: unknown, type: string): RequestCase {
  return { name, method: 'PATCH', path, body, headers: { 'content-type': type } }
}

function remove(name: string, path: string, body?: unknown): RequestCase {
  return { name, method: 'DELETE', path, ...(body !== undefined && { body }) }
}

function configMap(name: string, more: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more }
}

function thing(name: string, spec: unknown, more: object = {}): object {
  return { apiVersion: 'diff.example.com/v1', kind: 'Thing', metadata: { name }, spec, ...more }
}

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.diff.example.com' },
  spec: {
    group: 'diff.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        selectableFields: [{ jsonPath: '.spec.color' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['color'],
                properties: {
                  color: { type: 'string', enum: ['red', 'blue'] },
                  replicas: { type: 'integer', format: 'int32', minimum: 0, maximum: 10, default: 1 },
                  name: { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]+$' },
                  ratio: { type: 'number', multipleOf: 0.5 },
                  on: { type: 'boolean' },
                  maybe: { type: 'string', nullable: true },
                  withDefault: { type: 'object', default: {}, properties: { x: { type: 'string', default: 'y' } } },
                  tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', maxItems: 3 },
                  ports: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, port: { type: 'integer', default: 80 } },
                    },
                  },
                  labels: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 },
                  port: { 'x-kubernetes-int-or-string': true },
                  open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  when: { type: 'string', format: 'date-time' },
                  either: { type: 'string', anyOf: [{ pattern: '^a' }, { pattern: '^b' }] },
                  not: { type: 'string', not: { enum: ['x'] } },
                  both: { type: 'string', allOf: [{ pattern: '^a' }, { minLength: 3 }] },
                  one: {
                    type: 'object',
                    properties: { x: { type: 'string' }, y: { type: 'string' } },
                    oneOf: [
                      { properties: { x: { pattern: 'a' } } },
                      { properties: { x: { pattern: 'b' }, y: { pattern: 'b' } } },
                    ],
                  },
                },
              },
              status: { type: 'object', properties: { replicas: { type: 'integer' }, phase: { type: 'string' } } },
            },
          },
        },
      },
    ],
  },
}

const deployments = '/apis/apps/v1/namespaces/diff/deployments'

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
}

/** A body of a server-side apply. */
function applied(name: string, manager: string, body: object, query = ''): RequestCase {
  const target = (body as { metadata: { name: string } }).metadata.name
  const path = (body as { kind: string }).kind === 'Thing' ? `${things}/${target}` : `${core}/configmaps/${target}`
  return patch(name, `${path}?fieldManager=${manager}${query}`, body, apply)
}

// Without the ConfigMap kube-root-ca.crt that a controller creates in every namespace.
const withoutAuthority = '&fieldSelector=metadata.name%21%3Dkube-root-ca.crt'

export const requestCases: readonly RequestCase[] = [
  post('make a namespace', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'diff' } }),
  post('make a definition', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition),
  // Missing objects and unsupported requests.
  get('/nope'),
  get('/api/v2'),
  get('/apis/nope.example.com'),
  get('/apis/nope.example.com/v1/things'),
  get('/api/v1/nopes'),
  get(`${core}/configmaps/nope`),
  get('/api/v1/namespaces/nope/configmaps/nope'),
  get(`${things}/nope`),
  get(`${things}/nope/status`),
  get(`${core}/configmaps/nope/status`),
  { name: 'a verb that is none', method: 'PROPFIND', path: `${core}/configmaps` },
  { name: 'post to an object', method: 'POST', path: `${core}/configmaps/a`, body: configMap('a') },
  { name: 'put to a list', method: 'PUT', path: `${core}/configmaps`, body: configMap('a') },
  { name: 'patch a list', method: 'PATCH', path: `${core}/configmaps`, body: {}, headers: { 'content-type': merge } },
  get(`${core}/configmaps`, { accept: 'text/plain' }),
  get(`${core}/configmaps/nope`, { accept: 'text/plain' }),
  get(things, { accept: 'text/plain' }),
  get('/apis/apps/v9'),
  get(`${core}/configmaps/nope`, { accept: 'application/yaml;q=0.5, application/xml' }),
  // Invalid bodies.
  post('no body', `${core}/configmaps`, ''),
  post('no JSON', `${core}/configmaps`, '{'),
  post('a list for a body', `${core}/configmaps`, '[]'),
  post('a custom list for a body', things, '[]'),
  post('null for a custom body', things, 'null'),
  post('a custom body without kind', things, { metadata: { name: 'a' } }),
  post('a version of three parts', `${core}/configmaps`, { apiVersion: 'a/b/c', kind: 'ConfigMap' }),
  post('a body of another group', `${core}/configmaps`, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: {} }),
  post('null for a body', `${core}/configmaps`, 'null'),
  post('a body without kind', `${core}/configmaps`, { metadata: { name: 'a' } }),
  post('a body of another kind', `${core}/configmaps`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }),
  post('a body of another version', `${core}/configmaps`, {
    apiVersion: 'v2',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
  }),
  post('a body of an unknown kind', `${core}/configmaps`, { apiVersion: 'v1', kind: 'Nope', metadata: { name: 'a' } }),
  post('a custom body of another kind', things, {
    apiVersion: 'diff.example.com/v1',
    kind: 'Nope',
    metadata: { name: 'a' },
  }),
  post('a custom body without version', things, { kind: 'Thing', metadata: { name: 'versionless' } }),
  post('an unknown content type', `${core}/configmaps`, configMap('a'), 'application/xml'),
  post('wrong types', `${core}/configmaps`, configMap('a', { data: { a: 1 } })),
  post('data that is a list', `${core}/configmaps`, configMap('a', { data: [] })),
  post('metadata that is a text', `${core}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: 'a' }),
  post('a custom spec that is a text', things, thing('a', 'x')),
  // Names.
  post('no name', `${core}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }),
  post('a bad name', `${core}/configmaps`, configMap('Bad_Name')),
  post('a bad custom name', things, thing('Bad_Name', { color: 'red' })),
  post('a long name', `${core}/configmaps`, configMap('a'.repeat(254))),
  post('a bad label', `${core}/configmaps`, { ...configMap('a'), metadata: { name: 'a', labels: { 'a b': '-' } } }),
  post(
    'a bad annotation',
    things,
    thing('a', { color: 'red' }, { metadata: { name: 'a', annotations: { '/': 'x' } } }),
  ),
  post('another namespace', `${core}/configmaps`, { ...configMap('a'), metadata: { name: 'a', namespace: 'other' } }),
  post('a namespace that is not there', '/api/v1/namespaces/nope/configmaps', configMap('a')),
  post('a resource version', `${core}/configmaps`, {
    ...configMap('a'),
    metadata: { name: 'a', resourceVersion: '5' },
  }),
  post('a bad owner', `${core}/configmaps`, {
    ...configMap('a'),
    metadata: { name: 'a', ownerReferences: [{ kind: 'X' }] },
  }),
  post('a bad finalizer', `${core}/configmaps`, { ...configMap('a'), metadata: { name: 'a', finalizers: ['x'] } }),
  post(
    'a thing with a plain finalizer',
    `${things}?dryRun=All`,
    thing('f', { color: 'red' }, { metadata: { name: 'f', finalizers: ['x'] } }),
  ),
  post('a role with a plain finalizer', '/apis/rbac.authorization.k8s.io/v1/clusterroles?dryRun=All', {
    metadata: { name: 'f', finalizers: ['x', 'a b'] },
  }),
  post('a lease with a plain finalizer', '/apis/coordination.k8s.io/v1/namespaces/diff/leases?dryRun=All', {
    metadata: { name: 'f', finalizers: ['x'] },
  }),
  post('a thing with a wrong label', things, { ...thing('f', {}), metadata: { name: 'f', labels: { a: 1 } } }),
  post('a thing with wrong owners', things, { ...thing('f', {}), metadata: { name: 'f', ownerReferences: 'x' } }),
  post('a thing whose metadata is a text', things, { ...thing('f', {}), metadata: 'x' }),
  // Objects.
  post('a config map', `${core}/configmaps?fieldManager=me`, configMap('a', { data: { x: '1', y: '2' } })),
  post('the same again', `${core}/configmaps`, configMap('a')),
  post('bad keys', `${core}/configmaps`, configMap('b', { data: { 'a/b': 'x' }, binaryData: { c: '!' } })),
  post(
    'a thing',
    `${things}?fieldManager=me`,
    thing('a', { color: 'red', extra: 1, ports: [{ name: 'x' }], open: { any: { thing: 1 } } }),
  ),
  post('the same thing again', things, thing('a', { color: 'red' })),
  get(`${things}/a`),
  // Schemas.
  ...Object.entries<unknown>({
    'a missing field': {},
    'no spec fields of the right type': { color: 1, on: 'x', replicas: 'y', tags: 'z', labels: [], open: 1 },
    'an unsupported value': { color: 'green' },
    'numbers out of bounds': { color: 'red', replicas: 11, ratio: 0.3 },
    'a number below': { color: 'red', replicas: -1 },
    'a number beyond its format': { color: 'red', replicas: 3_000_000_000 },
    'a fraction': { color: 'red', replicas: 1.5 },
    'a short text': { color: 'red', name: 'a' },
    'a long text': { color: 'red', name: 'abcdefg' },
    'a text against its pattern': { color: 'red', name: 'AB' },
    'null where it may be': { color: 'red', maybe: null },
    'null where it may not be': { color: 'red', name: null },
    'a set with the same twice': { color: 'red', tags: ['a', 'a'] },
    'too many items': { color: 'red', tags: ['a', 'b', 'c', 'd'] },
    'a map list with the same key twice': { color: 'red', ports: [{ name: 'a' }, { name: 'a' }] },
    'a map list without its key': { color: 'red', ports: [{ port: 1 }] },
    'too few properties': { color: 'red', labels: {} },
    'neither a number nor a text': { color: 'red', port: true },
    'a time that is none': { color: 'red', when: 'yesterday' },
    'neither of two patterns': { color: 'red', either: 'c' },
    'what must not be': { color: 'red', not: 'x' },
    'not all of two patterns': { color: 'red', both: 'a' },
    'none of two objects': { color: 'red', one: { x: 'q', y: 'b' } },
  }).map(([name, spec]) => post(name, `${things}?dryRun=All`, thing('s', spec))),
  // Field validation.
  post(
    'unknown fields, strictly',
    `${things}?fieldValidation=Strict&dryRun=All`,
    thing('f', { color: 'red', extra: 1, ports: [{ name: 'a', nope: 1 }] }, { other: 1 }),
  ),
  post(
    'unknown fields, with warnings',
    `${things}?fieldValidation=Warn&dryRun=All`,
    thing('f', { color: 'red', extra: 1 }),
  ),
  post(
    'unknown fields, ignored',
    `${things}?fieldValidation=Ignore&dryRun=All`,
    thing('f', { color: 'red', extra: 1 }),
  ),
  post(
    'a field twice, strictly',
    `${things}?fieldValidation=Strict&dryRun=All`,
    '{"apiVersion":"diff.example.com/v1","kind":"Thing","metadata":{"name":"f"},"spec":{"color":"red","color":"blue"}}',
  ),
  post(
    'unknown fields of a built-in, strictly',
    `${core}/configmaps?fieldValidation=Strict&dryRun=All`,
    configMap('f', { nope: 1, metadata: { name: 'f', nope: 2 } }),
  ),
  post(
    'unknown fields of a built-in, with warnings',
    `${core}/configmaps?fieldValidation=Warn&dryRun=All`,
    configMap('f', { nope: 1 }),
  ),
  post(
    'a field of a built-in twice, strictly',
    `${core}/configmaps?fieldValidation=Strict&dryRun=All`,
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"f"},"data":{"a":"1","a":"2"}}',
  ),
  post('a wrong field validation', `${core}/configmaps?fieldValidation=Nope`, configMap('f')),
  post('a wrong dry run', `${core}/configmaps?dryRun=Some`, configMap('f')),
  post('a wrong field manager', `${core}/configmaps?fieldManager=${'m'.repeat(129)}`, configMap('f')),
  // Updates.
  put('an update', `${core}/configmaps/a`, configMap('a', { data: { x: '2' } })),
  put('an update of another name', `${core}/configmaps/a`, configMap('b')),
  put('an update of what is not there', `${core}/configmaps/zz`, configMap('zz')),
  put('an update with an old version', `${core}/configmaps/a`, {
    ...configMap('a'),
    metadata: { name: 'a', resourceVersion: '1' },
  }),
  put('an update with a bad version', `${core}/configmaps/a`, {
    ...configMap('a'),
    metadata: { name: 'a', resourceVersion: 'x' },
  }),
  put('an update with another uid', `${core}/configmaps/a`, { ...configMap('a'), metadata: { name: 'a', uid: 'x' } }),
  put('a custom update without version', `${things}/a`, thing('a', { color: 'blue' })),
  put('a custom update of what is not there', `${things}/zz`, thing('zz', { color: 'blue' })),
  post('an immutable config map', `${core}/configmaps`, configMap('fixed', { immutable: true, data: { a: '1' } })),
  put(
    'a change of what is immutable',
    `${core}/configmaps/fixed`,
    configMap('fixed', { immutable: true, data: { a: '2' } }),
  ),
  // Patches.
  patch('a merge patch', `${core}/configmaps/a?fieldManager=me`, { data: { y: '9', x: null } }, merge),
  patch('a merge patch of a thing', `${things}/a?fieldManager=me`, { spec: { color: 'blue', name: 'abc' } }, merge),
  patch('a merge patch that breaks the schema', `${things}/a`, { spec: { color: 'green' } }, merge),
  patch('a merge patch that is none', `${core}/configmaps/a`, '[1]', merge),
  patch('a merge patch that is no JSON', `${core}/configmaps/a`, '{', merge),
  patch('a merge patch of a name', `${core}/configmaps/a`, { metadata: { name: 'b' } }, merge),
  patch(
    'a merge patch with an old version',
    `${core}/configmaps/a`,
    { metadata: { resourceVersion: '1' }, data: { q: '1' } },
    merge,
  ),
  patch('a merge patch of what is not there', `${core}/configmaps/zz`, {}, merge),
  patch('a merge patch with wrong types', `${core}/configmaps/a`, { data: { x: 1 } }, merge),
  patch('a merge patch with wrong metadata', `${core}/configmaps/a`, { metadata: { labels: { a: 1 } } }, merge),
  patch('a merge patch of a thing with wrong metadata', `${things}/a`, { metadata: { labels: { a: 1 } } }, merge),
  patch('a merge patch of the kind', `${core}/configmaps/a`, { kind: 'Nope' }, merge),
  patch('a merge patch with unknown fields', `${core}/configmaps/a?fieldValidation=Strict`, { nope: 1 }, merge),
  patch('a JSON patch with wrong types', `${core}/configmaps/a`, [{ op: 'add', path: '/data/x', value: 1 }], jsonPatch),
  patch('a strategic patch with wrong types', `${core}/configmaps/a`, { data: { x: 1 } }, strategic),
  patch('a merge patch that changes nothing', `${core}/configmaps/a`, {}, merge),
  patch(
    'a JSON patch',
    `${core}/configmaps/a?fieldManager=me`,
    [{ op: 'add', path: '/data/z', value: '1' }],
    jsonPatch,
  ),
  patch(
    'a JSON patch whose test fails',
    `${core}/configmaps/a`,
    [{ op: 'test', path: '/data/z', value: '2' }],
    jsonPatch,
  ),
  patch(
    'a JSON patch of a path that is not there',
    `${core}/configmaps/a`,
    [{ op: 'remove', path: '/data/nope' }],
    jsonPatch,
  ),
  patch('a JSON patch with an unknown operation', `${core}/configmaps/a`, [{ op: 'nope', path: '/data/z' }], jsonPatch),
  patch('a JSON patch that is an object', `${core}/configmaps/a`, {}, jsonPatch),
  patch('a JSON patch of a thing', `${things}/a`, [{ op: 'replace', path: '/spec/color', value: 'red' }], jsonPatch),
  patch(
    'a strategic patch',
    `${core}/configmaps/a?fieldManager=me`,
    { data: { w: '1' }, metadata: { labels: { a: 'b' } } },
    strategic,
  ),
  patch('a strategic patch of a thing', `${things}/a`, { spec: { color: 'red' } }, strategic),
  patch('a strategic patch with a wrong directive', `${core}/configmaps/a`, { data: { $patch: 'nope' } }, strategic),
  patch(
    'a strategic patch that replaces',
    `${core}/configmaps/a`,
    { data: { $patch: 'replace', only: '1' } },
    strategic,
  ),
  patch('a patch of an unknown type', `${core}/configmaps/a`, {}, 'application/nope'),
  patch('a patch without a type', `${core}/configmaps/a`, {}, json),
  // Server-side apply.
  applied('an apply', 'one', configMap('ssa', { data: { a: '1', b: '2' } })),
  applied('an apply of the same', 'one', configMap('ssa', { data: { a: '1', b: '2' } })),
  applied('an apply by another', 'two', configMap('ssa', { data: { c: '3' } })),
  applied('a conflict', 'two', configMap('ssa', { data: { a: '9', c: '3' } })),
  applied('a conflict of two', 'two', configMap('ssa', { data: { a: '9', b: '9' } })),
  applied('force', 'two', configMap('ssa', { data: { a: '9' } }), '&force=true'),
  applied('an apply that lets go', 'one', configMap('ssa', { data: { b: '2' } })),
  patch('an apply without a manager', `${core}/configmaps/ssa`, configMap('ssa'), apply),
  patch('an apply of another name', `${core}/configmaps/ssa?fieldManager=one`, configMap('other'), apply),
  patch(
    'an apply with managed fields',
    `${core}/configmaps/ssa?fieldManager=one`,
    { ...configMap('ssa'), metadata: { name: 'ssa', managedFields: [{}] } },
    apply,
  ),
  patch(
    'an apply with unknown fields',
    `${core}/configmaps/ssa?fieldManager=one`,
    configMap('ssa', { nope: 1 }),
    apply,
  ),
  patch('an apply that is no YAML', `${core}/configmaps/ssa?fieldManager=one`, 'a: [', apply),
  patch('force in a merge patch', `${core}/configmaps/a?force=true`, {}, merge),
  applied('a thing by apply', 'one', thing('ssa', { color: 'red', tags: ['a'], ports: [{ name: 'x', port: 1 }] })),
  applied('items by another', 'two', thing('ssa', { tags: ['b'], ports: [{ name: 'y', port: 2 }] })),
  applied('a conflict in an item', 'two', thing('ssa', { ports: [{ name: 'x', port: 5 }] })),
  applied('a thing with unknown fields by apply', 'one', thing('ssa', { color: 'red', nope: 1 })),
  applied('a thing with wrong types by apply', 'one', thing('ssa', { color: 1 })),
  applied(
    'a thing with a key twice by apply',
    'one',
    thing('ssa', { color: 'red', ports: [{ name: 'x' }, { name: 'x' }] }),
  ),
  get(`${things}/ssa`),
  get(`${core}/configmaps/ssa`),
  // A built-in kind with a large schema.
  post('a deployment', deployments, deployment),
  patch('a scale of a deployment', `${deployments}/a/scale?fieldManager=me`, { spec: { replicas: 3 } }, merge),
  patch('a scale of a deployment below zero', `${deployments}/a/scale`, { spec: { replicas: -3 } }, merge),
  get(`${deployments}/a`),
  get(`${deployments}/a/scale`),
  patch(
    'a deployment by apply',
    `${deployments}/b?fieldManager=one`,
    { ...deployment, metadata: { name: 'b' } },
    apply,
  ),
  patch('a patch of a deployment', `${deployments}/b?fieldManager=me`, { spec: { paused: true } }, merge),
  // Status and scale.
  put('a status', `${things}/a/status`, thing('a', { color: 'green' }, { status: { phase: 'Up', replicas: 1 } })),
  patch(
    'a patch of a status',
    `${things}/a/status?fieldManager=me`,
    { status: { phase: 'Down' }, spec: { color: 'blue' } },
    merge,
  ),
  patch('a wrong patch of a status', `${things}/a/status`, { status: { phase: 1 } }, merge),
  patch('a status that is a text', `${things}/a/status`, { status: 'x' }, merge),
  patch('a status with too many replicas', `${things}/a/status`, { status: { replicas: -1, phase: '' } }, merge),
  get(`${things}/a/scale`),
  patch('a patch of a scale', `${things}/a/scale?fieldManager=me`, { spec: { replicas: 3 } }, merge),
  patch('a scale below zero', `${things}/a/scale`, { spec: { replicas: -3 } }, merge),
  // Selectors and lists.
  get(`${core}/configmaps?labelSelector=a%3Db`),
  get(`${core}/configmaps?labelSelector=a%20b`),
  get(`${core}/configmaps?labelSelector=a%20in%20(`),
  get(`${core}/configmaps?labelSelector=-a%3Db`),
  get(`${core}/configmaps?fieldSelector=metadata.name%3Da`),
  get(`${core}/configmaps?fieldSelector=data.x%3Da`),
  get(`${core}/configmaps?fieldSelector=nope`),
  get(`${things}?fieldSelector=spec.color%3Dred`),
  get(`${things}?fieldSelector=spec.name%3Dred`),
  get(`${core}/configmaps?limit=x`),
  get(`${core}/configmaps?continue=nope`),
  get(`${core}/configmaps?continue=!!`),
  get(`${things}?continue=e30`),
  get(`${core}/configmaps?resourceVersion=x`),
  get(`${core}/configmaps?resourceVersionMatch=Exact`),
  get(`${core}/configmaps?resourceVersionMatch=Nope&resourceVersion=1`),
  get(`${core}/configmaps?watch=x&timeoutSeconds=1${withoutAuthority}`),
  get(`${core}/configmaps?watch=true&resourceVersion=x&timeoutSeconds=1`),
  get(`${core}/configmaps?watch=true&sendInitialEvents=true&timeoutSeconds=1`),
  get(`${core}/configmaps/a?resourceVersion=x`),
  // Deletion.
  remove('a delete of what is not there', `${core}/configmaps/nope`),
  remove('a delete with another uid', `${core}/configmaps/a`, { preconditions: { uid: 'nope' } }),
  remove('a delete of a thing with another uid', `${things}/a`, { preconditions: { uid: 'nope' } }),
  remove('a delete of a namespace with another uid', '/api/v1/namespaces/diff', { preconditions: { uid: 'nope' } }),
  remove('a delete with a list for a body', `${core}/configmaps/a`, '[]'),
  remove('a delete with another version', `${core}/configmaps/a`, { preconditions: { resourceVersion: '1' } }),
  remove('a delete with a wrong propagation', `${core}/configmaps/a?propagationPolicy=Nope`),
  remove('a delete with orphans twice', `${core}/configmaps/a`, {
    orphanDependents: true,
    propagationPolicy: 'Orphan',
  }),
  remove('a delete with a wrong body', `${core}/configmaps/a`, { kind: 'Nope', apiVersion: 'v1' }),
  remove('a dry delete', `${core}/configmaps/a?dryRun=All`),
  remove('a delete', `${core}/configmaps/a`),
  remove('a delete of a thing', `${things}/a`),
  remove('a collection with a bad selector', `${core}/configmaps?labelSelector=a%20b`),
]
