import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { UserInfo } from '../user-info.ts'
import { type Attributes, pathAttributes, resourceAttributes } from './attributes.ts'
import type { PolicyRule, RbacKind } from './policy-rule.ts'
import { createRbacAuthorizer } from './rbac-authorizer.ts'
import { RbacIndex } from './rbac-index.ts'

const jane: UserInfo = { name: 'jane', groups: ['dev', 'system:authenticated'] }
const builder: UserInfo = { name: 'system:serviceaccount:ci:builder', groups: ['system:serviceaccounts'] }

const user = (name: string) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name })
const group = (name: string) => ({ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name })
const account = (name: string, namespace?: string) => ({
  kind: 'ServiceAccount',
  name,
  ...(namespace && { namespace }),
})
const ref = (kind: string, name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name })

function world(cluster = 'root') {
  const index = new RbacIndex()
  const put = (kind: RbacKind, namespace: string, name: string, object: object) => {
    index.put(cluster, kind, namespace, name, object)
  }
  return {
    index,
    authorizer: createRbacAuthorizer(index),
    clusterRole: (name: string, ...rules: PolicyRule[]) => put('ClusterRole', '', name, { rules }),
    role: (namespace: string, name: string, ...rules: PolicyRule[]) => put('Role', namespace, name, { rules }),
    bindCluster: (name: string, role: string, ...subjects: object[]) =>
      put('ClusterRoleBinding', '', name, { roleRef: ref('ClusterRole', role), subjects }),
    bind: (namespace: string, name: string, roleRef: object, ...subjects: object[]) =>
      put('RoleBinding', namespace, name, { roleRef, subjects }),
  }
}

const ask = (what: Partial<Attributes> = {}) =>
  resourceAttributes({ user: jane, verb: 'get', cluster: 'root', resource: 'pods', ...what })
const get = (path: string) => pathAttributes({ user: jane, verb: 'get', cluster: 'root', path })

describe('a rule allows, as in Kubernetes,', () => {
  const pods = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] }
  const paths = (...nonResourceURLs: string[]) => ({ verbs: ['get'], nonResourceURLs })

  test.each<[string, PolicyRule, Attributes, boolean]>([
    ['the named verb', pods, ask(), true],
    ['no other verb', pods, ask({ verb: 'delete' }), false],
    ['no other group', pods, ask({ apiGroup: 'apps' }), false],
    ['no other resource', pods, ask({ resource: 'secrets' }), false],
    ['no subresource', pods, ask({ subresource: 'log' }), false],
    ['any verb by a star', { ...pods, verbs: ['*'] }, ask({ verb: 'impersonate' }), true],
    ['any group by a star', { ...pods, apiGroups: ['*'] }, ask({ apiGroup: 'x.io' }), true],
    ['any resource by a star', { ...pods, resources: ['*'] }, ask({ resource: 'secrets' }), true],
    ['subresources too by a star', { ...pods, resources: ['*'] }, ask({ subresource: 'log' }), true],
    ['a named subresource', { ...pods, resources: ['pods/log'] }, ask({ subresource: 'log' }), true],
    ['a subresource alone', { ...pods, resources: ['pods/log'] }, ask(), false],
    [
      'a subresource of anything',
      { ...pods, resources: ['*/scale'] },
      ask({ resource: 'x', subresource: 'scale' }),
      true,
    ],
    ['of that name', { ...pods, resources: ['*/scale'] }, ask({ subresource: 'status' }), false],
    ['not by a star for a part', { ...pods, resources: ['pods/*'] }, ask({ subresource: 'log' }), false],
    ['a named object', { ...pods, resourceNames: ['web'] }, ask({ name: 'web' }), true],
    ['no other object', { ...pods, resourceNames: ['web'] }, ask({ name: 'db' }), false],
    ['no list when objects are named', { ...pods, resourceNames: ['web'] }, ask({ verb: 'list' }), false],
    ['no star among names', { ...pods, resourceNames: ['*'] }, ask({ name: 'web' }), false],
    ['any object by empty names', { ...pods, resourceNames: [] }, ask({ name: 'web' }), true],
    ['nothing without groups', { verbs: ['get'], resources: ['pods'] }, ask(), false],
    ['nothing without verbs', { ...pods, verbs: [] }, ask(), false],
    ['a path', paths('/healthz'), get('/healthz'), true],
    ['no path below it', paths('/healthz'), get('/healthz/etcd'), false],
    ['paths below a star', paths('/healthz/*'), get('/healthz/etcd'), true],
    ['any number of stars', paths('/api**'), get('/apis'), true],
    ['not the path itself', paths('/healthz/*'), get('/healthz'), false],
    ['any path by a star', paths('*'), get('/metrics'), true],
    ['no star in the middle', paths('/a/*/b'), get('/a/x/b'), false],
    ['no path by a resource rule', { ...pods, resources: ['*'] }, get('/metrics'), false],
    ['no resource by a path rule', paths('*'), ask(), false],
  ])('%s', (_, rule, question, allowed) => {
    const { authorizer, clusterRole, bindCluster } = world()
    clusterRole('r', rule)
    bindCluster('b', 'r', user('jane'))
    expect(authorizer.authorize(question).allowed).toBe(allowed)
  })
})

describe('a binding grants to', () => {
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }

  test.each<[string, object, UserInfo, boolean]>([
    ['the user of that name', user('jane'), jane, true],
    ['no other user', user('john'), jane, false],
    ['the members of a group', group('dev'), jane, true],
    ['not a user with the name of a group', user('dev'), jane, false],
    ['a service account elsewhere', account('builder', 'ci'), builder, true],
    [
      'its own namespace’s service account',
      account('builder'),
      { ...builder, name: 'system:serviceaccount:prod:builder' },
      true,
    ],
    ['not that of another namespace', account('builder'), builder, false],
    ['a service account by its user name', user('system:serviceaccount:ci:builder'), builder, true],
    ['all service accounts by group', group('system:serviceaccounts'), builder, true],
    ['no user by an unknown kind', { kind: 'Robot', name: 'jane' }, jane, false],
  ])('%s', (_, subject, who, allowed) => {
    const { authorizer, role, bind } = world()
    role('prod', 'r', all)
    bind('prod', 'b', ref('Role', 'r'), subject)
    expect(authorizer.authorize(ask({ user: who, namespace: 'prod' })).allowed).toBe(allowed)
  })

  test('only its own namespace, also with a ClusterRole', () => {
    const { authorizer, clusterRole, bind } = world()
    clusterRole('r', all)
    bind('prod', 'b', ref('ClusterRole', 'r'), user('jane'))
    expect(authorizer.authorize(ask({ namespace: 'prod' })).allowed).toBe(true)
    expect(authorizer.authorize(ask({ namespace: 'test' })).allowed).toBe(false)
    expect(authorizer.authorize(ask()).allowed).toBe(false)
  })

  test('never by a Role of another namespace, nor by a Role in a ClusterRoleBinding', () => {
    const { authorizer, role, bind, index } = world()
    role('test', 'r', all)
    bind('prod', 'b', ref('Role', 'r'), user('jane'))
    index.put('root', 'ClusterRoleBinding', '', 'c', { roleRef: ref('Role', 'r'), subjects: [user('jane')] })
    expect(authorizer.authorize(ask({ namespace: 'prod' })).allowed).toBe(false)
    expect(authorizer.authorize(ask({ namespace: 'test' })).allowed).toBe(false)
  })

  test('no user by a service account without a namespace in a ClusterRoleBinding', () => {
    const { authorizer, clusterRole, bindCluster } = world()
    clusterRole('r', all)
    bindCluster('b', 'r', account('builder'))
    expect(authorizer.authorize(ask({ user: builder, namespace: 'ci' })).allowed).toBe(false)
  })
})

describe('reasons', () => {
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }

  test('name the binding, its role and the first matching subject', () => {
    const { authorizer, clusterRole, bindCluster, bind } = world()
    clusterRole('r', all)
    bind('prod', 'b', ref('ClusterRole', 'r'), account('builder', 'ci'))
    expect(authorizer.authorize(ask({ user: builder, namespace: 'prod' })).reason).toBe(
      'RBAC: allowed by RoleBinding "b/prod" of ClusterRole "r" to ServiceAccount "builder/ci"',
    )
    bindCluster('c', 'r', user('john'), group('dev'), user('jane'))
    expect(authorizer.authorize(ask({ namespace: 'prod' })).reason).toBe(
      'RBAC: allowed by ClusterRoleBinding "c" of ClusterRole "r" to Group "dev"',
    )
  })

  test('name missing roles, while the others still count', () => {
    const { authorizer, bindCluster, bind, clusterRole } = world()
    bindCluster('b', 'gone', user('jane'))
    bind('prod', 'b', ref('Role', 'away'), group('dev'))
    bind('prod', 'c', ref('Role', 'away'), group('dev'))
    expect(authorizer.authorize(ask())).toEqual({
      allowed: false,
      reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
    })
    expect(authorizer.authorize(ask({ namespace: 'prod' })).reason).toBe(
      'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "away" not found]',
    )
    clusterRole('gone', all)
    expect(authorizer.authorize(ask()).allowed).toBe(true)
  })
})

test('system:masters may do everything, also in an unknown cluster', () => {
  const { authorizer } = world()
  const root = { name: 'x', groups: ['system:masters'] }
  expect(authorizer.authorize(ask({ user: root, cluster: 'nowhere' }))).toEqual({ allowed: true, reason: '' })
  expect(authorizer.authorize(ask({ user: { name: 'system:masters', groups: [] } })).allowed).toBe(false)
})

test('permissions of one logical cluster do not apply to another', () => {
  const { authorizer, clusterRole, bindCluster, index } = world('a')
  clusterRole('r', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] })
  bindCluster('b', 'r', user('jane'))
  const questions = (cluster: string) => authorizer.authorize(ask({ cluster })).allowed
  expect(['a', 'b', 'root', '', 'a/b', '*'].map(questions)).toEqual([true, false, false, false, false, false])
  index.drop('a')
  expect(questions('a')).toBe(false)
})

test('users whose joined names and groups are equal are distinguished', () => {
  const { authorizer, clusterRole, bindCluster } = world()
  clusterRole('r', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] })
  bindCluster('b', 'r', group('ops'))
  const crafted = ['a","Group:ops', 'a\0Group:ops', 'a,Group:ops']
  expect(authorizer.authorize(ask({ user: { name: 'a', groups: ['ops'] } })).allowed).toBe(true)
  for (const name of crafted) expect(authorizer.authorize(ask({ user: { name, groups: [] } })).allowed).toBe(false)
})

describe('a change takes effect at once', () => {
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }
  const may = (w: ReturnType<typeof world>, namespace = 'prod') => w.authorizer.authorize(ask({ namespace })).allowed

  test('of a role, a binding and its subjects', () => {
    const w = world()
    w.role('prod', 'r', all)
    expect(may(w)).toBe(false)
    w.bind('prod', 'b', ref('Role', 'r'), user('jane'))
    expect(may(w)).toBe(true)
    w.role('prod', 'r')
    expect(may(w)).toBe(false)
    w.role('prod', 'r', all)
    w.bind('prod', 'b', ref('Role', 'r'), user('john'))
    expect(may(w)).toBe(false)
    w.bind('prod', 'b', ref('Role', 'r'), group('dev'))
    expect(may(w)).toBe(true)
    w.index.remove('root', 'RoleBinding', 'prod', 'b')
    expect(may(w)).toBe(false)
  })

  test('of a ClusterRole in every namespace that binds it', () => {
    const w = world()
    w.clusterRole('r', all)
    w.bind('prod', 'b', ref('ClusterRole', 'r'), user('jane'))
    w.bind('test', 'b', ref('ClusterRole', 'r'), user('jane'))
    expect([may(w), may(w, 'test')]).toEqual([true, true])
    w.index.remove('root', 'ClusterRole', '', 'r')
    expect([may(w), may(w, 'test')]).toEqual([false, false])
  })
})

test('the index decides like the reference implementation, for any order of changes', () => {
  const names = fc.constantFrom('a', 'b', 'c')
  const word = fc.constantFrom('*', 'get', 'pods', 'pods/log', '*/log', '', 'apps', 'a')
  const rule = fc.record({
    verbs: fc.array(word, { maxLength: 2 }),
    apiGroups: fc.array(word, { maxLength: 2 }),
    resources: fc.array(word, { maxLength: 2 }),
    resourceNames: fc.array(names, { maxLength: 1 }),
  })
  const change = fc.record({
    name: names,
    namespace: fc.constantFrom('n1', 'n2'),
    what: fc.constantFrom('Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding') as fc.Arbitrary<RbacKind>,
    gone: fc.boolean(),
    rules: fc.array(rule, { maxLength: 2 }),
    roleRef: fc.record({ kind: fc.constantFrom('Role', 'ClusterRole'), name: names }),
    subjects: fc.array(fc.record({ kind: fc.constantFrom('User', 'Group'), name: names }), { maxLength: 2 }),
  })
  const question = fc.record({
    name: names,
    groups: fc.array(names, { maxLength: 2 }),
    verb: fc.constantFrom('get', 'list'),
    apiGroup: fc.constantFrom('', 'apps'),
    resource: fc.constantFrom('pods', 'jobs'),
    subresource: fc.constantFrom('', 'log'),
    namespace: fc.constantFrom('', 'n1', 'n2'),
  })
  fc.assert(
    fc.property(fc.array(fc.oneof(change, question), { maxLength: 30 }), (steps) => {
      const index = new RbacIndex()
      const authorizer = createRbacAuthorizer(index)
      const objects = new Map<string, { what: RbacKind; namespace: string; object: never }>()
      for (const step of steps) {
        if ('what' in step) {
          const namespace = step.what.startsWith('Cluster') ? '' : step.namespace
          const key = `${step.what} ${namespace} ${step.name}`
          if (step.gone) index.remove('root', step.what, namespace, step.name)
          else index.put('root', step.what, namespace, step.name, step)
          if (step.gone) objects.delete(key)
          else objects.set(key, { what: step.what, namespace, object: step as never })
        } else {
          const { name, groups, ...what } = step
          const attributes = ask({ ...what, user: { name, groups } })
          expect(authorizer.authorize(attributes).allowed).toBe(plainly(objects, attributes))
        }
      }
    }),
    { numRuns: 500 },
  )
})

// Reference implementation of RBAC without an index.
function plainly(
  objects: ReadonlyMap<string, { what: RbacKind; namespace: string; object: never }>,
  asked: Attributes,
): boolean {
  const combined = asked.subresource === '' ? asked.resource : `${asked.resource}/${asked.subresource}`
  const any = (list: readonly string[], ...accepted: string[]) => list.some((item) => accepted.includes(item))
  return [...objects.values()].some(({ what, namespace, object }) => {
    if (!what.endsWith('Binding') || (namespace !== '' && namespace !== asked.namespace)) return false
    const { subjects, roleRef } = object as {
      subjects: { kind: string; name: string }[]
      roleRef: { kind: string; name: string }
    }
    const meant = subjects.some(({ kind, name }) =>
      kind === 'User' ? name === asked.user.name : asked.user.groups.includes(name),
    )
    const place = roleRef.kind === 'ClusterRole' ? '' : namespace
    const role = objects.get(`${roleRef.kind} ${place} ${roleRef.name}`)
    if (!meant || role === undefined) return false
    return (role.object as { rules: Required<PolicyRule>[] }).rules.some(
      (rule) =>
        any(rule.verbs, '*', asked.verb) &&
        any(rule.apiGroups, '*', asked.apiGroup) &&
        any(rule.resources, '*', combined, ...(asked.subresource === '' ? [] : [`*/${asked.subresource}`])) &&
        (rule.resourceNames.length === 0 || rule.resourceNames.includes(asked.name)),
    )
  })
}
