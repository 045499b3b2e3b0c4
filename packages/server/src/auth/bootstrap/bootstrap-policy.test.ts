import { describe, expect, test } from 'vitest'
import { type Attributes, pathAttributes, resourceAttributes } from '../authz/attributes.ts'
import { createRbacAuthorizer } from '../authz/rbac-authorizer.ts'
import { RbacIndex } from '../authz/rbac-index.ts'
import { bootstrapPolicy } from './bootstrap-policy.ts'
import { reconcilePolicy } from './reconcile.ts'

const policy = bootstrapPolicy()
const find = (kind: string, name: string, namespace?: string) =>
  policy.find(({ kind: own, metadata }) => own === kind && metadata.name === name && metadata.namespace === namespace)!

describe('the bootstrap policy', () => {
  test('has the objects of the release', () => {
    const counts = Object.groupBy(policy, ({ kind }) => kind)
    expect(Object.entries(counts).map(([kind, objects]) => [kind, objects.length])).toEqual([
      ['ClusterRole', 69],
      ['Role', 7],
      ['ClusterRoleBinding', 50],
      ['RoleBinding', 7],
    ])
  })

  test('binds only its own roles', () => {
    const roles = new Set(policy.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.namespace ?? ''}`))
    for (const { roleRef, metadata } of policy) {
      const place = roleRef?.kind === 'Role' ? metadata.namespace : ''
      if (roleRef !== undefined) expect(roles).toContain(`${roleRef.kind} ${roleRef.name} ${place}`)
    }
  })

  test('equals Kubernetes’ own', () => {
    expect(find('ClusterRole', 'view')).toMatchObject({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: {
        labels: {
          'kubernetes.io/bootstrapping': 'rbac-defaults',
          'rbac.authorization.k8s.io/aggregate-to-edit': 'true',
        },
        annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
      },
      aggregationRule: {
        clusterRoleSelectors: [{ matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } }],
      },
    })
    expect(find('RoleBinding', 'system:controller:bootstrap-signer', 'kube-public')).toMatchObject({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'system:controller:bootstrap-signer' },
      subjects: [{ kind: 'ServiceAccount', name: 'bootstrap-signer', namespace: 'kube-system' }],
    })
    expect(find('ClusterRoleBinding', 'cluster-admin').subjects).toEqual([
      { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:masters' },
    ])
    expect(find('ClusterRole', 'cluster-admin').rules).toEqual([
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ])
  })

  test('collects aggregated roles through all levels', () => {
    const count = (name: string) => find('ClusterRole', name).rules!.length
    expect(count('view')).toBeGreaterThan(5)
    expect(count('edit')).toBeGreaterThan(count('view'))
    expect(count('admin')).toBeGreaterThan(count('edit'))
  })
})

describe('by the bootstrap policy', () => {
  const index = new RbacIndex()
  for (const object of policy)
    index.put('root', object.kind, object.metadata.namespace ?? '', object.metadata.name, object)
  for (const name of ['admin', 'edit', 'view'])
    index.put('root', 'RoleBinding', 'prod', name, {
      roleRef: { kind: 'ClusterRole', name },
      subjects: [{ kind: 'User', name }],
    })
  const authorizer = createRbacAuthorizer(index)
  const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] }
  const anyone = { name: 'jane', groups: ['system:authenticated'] }
  const named = (name: string) => ({ name, groups: ['system:authenticated'] })
  const path = (user: typeof anyone, url: string) => pathAttributes({ user, verb: 'get', cluster: 'root', path: url })
  const ask = (
    user: typeof anyone,
    verb: string,
    resource: string,
    more: Partial<Attributes> = { namespace: 'prod' },
  ) => resourceAttributes({ user, verb, cluster: 'root', resource, ...more })

  test.each<[string, Attributes, boolean]>([
    ['health needs no authentication', path(anonymous, '/healthz'), true],
    ['liveness needs none', path(anonymous, '/livez'), true],
    ['the version needs none', path(anonymous, '/version'), true],
    ['discovery does', path(anonymous, '/apis'), false],
    ['metrics do', path(anonymous, '/metrics'), false],
    ['objects do', ask(anonymous, 'list', 'pods'), false],
    ['anyone sees discovery', path(anyone, '/apis/apps/v1'), true],
    [
      'all users may ask for their own permissions',
      ask(anyone, 'create', 'selfsubjectaccessreviews', { apiGroup: 'authorization.k8s.io' }),
      true,
    ],
    [
      'all users may not ask for the permissions of others',
      ask(anyone, 'create', 'subjectaccessreviews', { apiGroup: 'authorization.k8s.io' }),
      false,
    ],
    ['view reads', ask(named('view'), 'list', 'configmaps'), true],
    ['view reads no secrets', ask(named('view'), 'get', 'secrets'), false],
    ['edit writes', ask(named('edit'), 'create', 'secrets'), true],
    [
      'edit grants no roles',
      ask(named('edit'), 'create', 'rolebindings', { apiGroup: 'rbac.authorization.k8s.io', namespace: 'prod' }),
      false,
    ],
    [
      'admin grants roles',
      ask(named('admin'), 'create', 'rolebindings', { apiGroup: 'rbac.authorization.k8s.io', namespace: 'prod' }),
      true,
    ],
    ['admin has no other namespace', ask(named('admin'), 'get', 'configmaps', { namespace: 'test' }), false],
  ])('%s', (_, question, allowed) => {
    expect(authorizer.authorize(question).allowed).toBe(allowed)
  })
})

describe('reconciling', () => {
  const wanted = find('ClusterRole', 'system:basic-user')
  const stored = (change: object = {}) => ({ ...structuredClone(wanted), ...change })
  const metadata = (change: object) => ({ metadata: { ...wanted.metadata, ...change } })
  const binding = find('ClusterRoleBinding', 'system:basic-user')

  test('creates missing objects and keeps matching ones', () => {
    expect(reconcilePolicy(wanted, undefined)).toEqual({ kind: 'create', object: wanted })
    for (const object of policy)
      expect(reconcilePolicy(object, structuredClone({ ...object }))).toEqual({ kind: 'none' })
  })

  test('adds missing rules and keeps additional ones', () => {
    const own = { verbs: ['get'], apiGroups: ['x'], resources: ['y'] }
    const result = reconcilePolicy(wanted, stored({ rules: [own] }))
    expect(result.kind).toBe('update')
    const { rules } = (result as unknown as { object: { rules: object[] } }).object
    expect(rules[0]).toEqual(own)
    expect(reconcilePolicy(wanted, stored({ rules }))).toEqual({ kind: 'none' })
    expect(reconcilePolicy(wanted, stored({ rules: [...wanted.rules!, own] }))).toEqual({ kind: 'none' })
  })

  test('adds labels and annotations; stored ones win', () => {
    const changed = metadata({
      uid: 'u',
      labels: { a: 'b' },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'yes' },
    })
    expect(reconcilePolicy(wanted, stored(changed))).toEqual({
      kind: 'update',
      object: stored(
        metadata({
          uid: 'u',
          labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', a: 'b' },
          annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'yes' },
        }),
      ),
    })
  })

  test('does not change protected objects', () => {
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' }
    expect(reconcilePolicy(wanted, stored({ ...metadata({ annotations }), rules: [] }))).toEqual({ kind: 'protected' })
    expect(reconcilePolicy(wanted, stored(metadata({ annotations })))).toEqual({ kind: 'none' })
  })

  test('adds missing subjects and recreates a binding of another role', () => {
    const other = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }
    expect(reconcilePolicy(binding, { ...binding, subjects: [other] })).toMatchObject({
      kind: 'update',
      object: { subjects: [other, ...binding.subjects!] },
    })
    const roleRef = { ...binding.roleRef!, name: 'other' }
    expect(reconcilePolicy(binding, { ...binding, roleRef })).toEqual({ kind: 'recreate', object: binding })
  })

  test('restores an aggregation rule, adds to one, and removes an unwanted one', () => {
    const view = find('ClusterRole', 'view')
    const selector = { matchLabels: { a: 'b' } }
    expect(reconcilePolicy(view, { ...view, aggregationRule: { clusterRoleSelectors: [selector] } })).toMatchObject({
      kind: 'update',
      object: { aggregationRule: { clusterRoleSelectors: [selector, ...view.aggregationRule!.clusterRoleSelectors] } },
    })
    const aggregated = stored({ aggregationRule: { clusterRoleSelectors: [selector] } })
    expect(reconcilePolicy(wanted, aggregated)).toEqual({ kind: 'update', object: wanted })
    expect(reconcilePolicy(view, { ...view, rules: [] })).toEqual({ kind: 'none' })
  })
})
