import { describe, expect, test } from 'vitest'
import type { UserInfo } from '../user-info.ts'
import { alwaysAllow } from './authorizer.ts'
import { checkRbacWrite, type RbacWrite } from './escalation.ts'
import type { PolicyRule } from './policy-rule.ts'
import { createRbacAuthorizer } from './rbac-authorizer.ts'
import { RbacIndex } from './rbac-index.ts'

const jane: UserInfo = { name: 'jane', groups: ['dev', 'system:authenticated'] }
const pods = (...verbs: string[]): PolicyRule => ({ verbs, apiGroups: [''], resources: ['pods'] })
const onRoles = (verb: string, resource: string, ...resourceNames: string[]): PolicyRule => ({
  verbs: [verb],
  apiGroups: ['rbac.authorization.k8s.io'],
  resources: [resource],
  ...(resourceNames.length === 0 ? {} : { resourceNames }),
})
const full: PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/** Jane has these rules in the cluster, and those in the namespace prod. */
function world(everywhere: readonly PolicyRule[], inProd: readonly PolicyRule[] = []) {
  const index = new RbacIndex()
  const subjects = [{ kind: 'User', name: 'jane' }]
  const roleRef = (kind: string, name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name })
  index.put('root', 'ClusterRole', '', 'held', { rules: everywhere })
  index.put('root', 'ClusterRoleBinding', '', 'held', { roleRef: roleRef('ClusterRole', 'held'), subjects })
  index.put('root', 'Role', 'prod', 'held', { rules: inProd })
  index.put('root', 'RoleBinding', 'prod', 'held', { roleRef: roleRef('Role', 'held'), subjects })
  index.put('root', 'ClusterRole', '', 'view', { rules: [pods('get', 'list')] })
  index.put('root', 'ClusterRole', '', 'admin', { rules: full })
  const authorizer = createRbacAuthorizer(index)
  return (write: Partial<RbacWrite>) =>
    checkRbacWrite(authorizer, index, {
      user: jane,
      cluster: 'root',
      resource: 'clusterroles',
      namespace: '',
      requestName: '',
      object: {},
      ...write,
    })
}

const role = (...rules: PolicyRule[]) => ({ metadata: { name: 'r' }, rules })
const binding = (name: string, kind = 'ClusterRole') => ({
  metadata: { name: 'b' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
  subjects: [{ kind: 'User', name: 'jane' }],
})

describe('a role', () => {
  test.each<[string, PolicyRule[], PolicyRule[], boolean]>([
    ['with held permissions', [pods('get', 'list')], [pods('get')], true],
    ['with more verbs', [pods('get')], [pods('get', 'delete')], false],
    ['with verbs held by two rules', [pods('get'), pods('list')], [pods('get', 'list')], true],
    ['with a star where each verb is held', [pods('get', 'list', 'watch')], [pods('*')], false],
    ['for one object where all are held', [pods('get')], [{ ...pods('get'), resourceNames: ['a'] }], true],
    ['for all objects where one is held', [{ ...pods('get'), resourceNames: ['a'] }], [pods('get')], false],
    [
      'of a subresource under a star',
      [{ ...pods('get'), resources: ['*/log'] }],
      [{ ...pods('get'), resources: ['pods/log'] }],
      true,
    ],
    ['of a subresource under its resource', [pods('get')], [{ ...pods('get'), resources: ['pods/log'] }], false],
    ['of another group', [pods('get')], [{ ...pods('get'), apiGroups: ['apps'] }], false],
    [
      'of a path under a star',
      [{ verbs: ['get'], nonResourceURLs: ['/a/*'] }],
      [{ verbs: ['get'], nonResourceURLs: ['/a/b'] }],
      true,
    ],
    [
      'of a wider path',
      [{ verbs: ['get'], nonResourceURLs: ['/a/*'] }],
      [{ verbs: ['get'], nonResourceURLs: ['/*'] }],
      false,
    ],
    ['of everything by escalate', [onRoles('escalate', 'clusterroles')], full, true],
    ['of everything by escalate on roles', [onRoles('escalate', 'roles')], full, false],
    ['of nothing', [], [], true],
  ])('%s', (_, held, wanted, allowed) => {
    const check = world(held)
    const write = () => check({ object: role(...wanted) })
    if (allowed) expect(write).not.toThrow()
    else expect(write).toThrow(expect.objectContaining({ reason: 'Forbidden' }))
  })

  test('may grant in a namespace the permissions held there, and not in the cluster', () => {
    const check = world([], [pods('get')])
    expect(() => check({ resource: 'roles', namespace: 'prod', object: role(pods('get')) })).not.toThrow()
    expect(() => check({ resource: 'roles', namespace: 'test', object: role(pods('get')) })).toThrow(
      /not currently held/,
    )
    expect(() => check({ object: role(pods('get')) })).toThrow(/not currently held/)
  })

  test('is rejected with kube-apiserver’s message, listing the missing rules', () => {
    const wanted = role(
      pods('list', 'delete'),
      { ...pods('get'), resourceNames: ['a'] },
      { verbs: ['get'], nonResourceURLs: ['/m'] },
    )
    expect(() => world([pods('list')])({ object: wanted })).toThrow(
      [
        'clusterroles.rbac.authorization.k8s.io "r" is forbidden: user "jane" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
        '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["get"]}',
        '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}',
        '{NonResourceURLs:["/m"], Verbs:["get"]}',
      ].join('\n'),
    )
  })

  test('with an aggregation rule requires all permissions', () => {
    const aggregated = { metadata: { name: 'r' }, aggregationRule: { clusterRoleSelectors: [{}] } }
    const message = /must have cluster-admin privileges to use the aggregationRule/
    expect(() => world([pods('*')])({ object: aggregated })).toThrow(message)
    expect(() => world([pods('*')])({ object: role(), old: aggregated, requestName: 'r' })).toThrow(message)
    expect(() => world(full)({ object: aggregated })).not.toThrow()
  })

  test('may lose finalizers and owners by a user who could not grant it', () => {
    const old = { metadata: { name: 'r', finalizers: ['x'], ownerReferences: [{}], resourceVersion: '1' }, rules: full }
    const check = world([])
    expect(() =>
      check({ old, object: { metadata: { name: 'r', resourceVersion: '2' }, rules: full }, requestName: 'r' }),
    ).not.toThrow()
    expect(() =>
      check({ old, object: { metadata: { name: 'r', labels: { a: 'b' } }, rules: full }, requestName: 'r' }),
    ).toThrow()
  })
})

describe('a binding', () => {
  const bind = { resource: 'clusterrolebindings' } as const
  const bindInProd = { resource: 'rolebindings', namespace: 'prod' } as const

  test.each<[string, PolicyRule[], Partial<RbacWrite>, boolean]>([
    ['of a role whose rules are held', [pods('get', 'list')], { ...bind, object: binding('view') }, true],
    ['of a role with more', [pods('get')], { ...bind, object: binding('view') }, false],
    ['of admin to oneself', [pods('*')], { ...bind, object: binding('admin') }, false],
    ['by bind on that role', [onRoles('bind', 'clusterroles', 'admin')], { ...bind, object: binding('admin') }, true],
    [
      'by bind on another role',
      [onRoles('bind', 'clusterroles', 'view')],
      { ...bind, object: binding('admin') },
      false,
    ],
    ['by escalate, which is not bind', [onRoles('escalate', '*')], { ...bind, object: binding('admin') }, false],
    [
      'in a namespace by bind in the cluster',
      [onRoles('bind', 'clusterroles')],
      { ...bindInProd, object: binding('admin') },
      true,
    ],
    ['of a Role of the namespace', [], { ...bindInProd, object: binding('held', 'Role') }, true],
  ])('%s', (_, held, write, allowed) => {
    const check = world(held)
    if (allowed) expect(() => check(write)).not.toThrow()
    else expect(() => check(write)).toThrow(expect.objectContaining({ reason: 'Forbidden' }))
  })

  test('to a missing role is 404, unless bind allows it', () => {
    const write = { ...bind, object: binding('gone') }
    expect(() => world(full)(write)).not.toThrow()
    expect(() => world([pods('*')])(write)).toThrow(
      expect.objectContaining({
        reason: 'NotFound',
        message: 'clusterroles.rbac.authorization.k8s.io "gone" not found',
      }),
    )
  })
})

test('system:masters and a server that allows everything grant everything', () => {
  const root = { name: 'admin', groups: ['system:masters'] }
  expect(() => world([])({ user: root, object: role(...full) })).not.toThrow()
  const write = {
    user: jane,
    cluster: 'root',
    namespace: '',
    requestName: '',
    resource: 'clusterroles',
    object: role(...full),
  } as const
  expect(() => checkRbacWrite(alwaysAllow, new RbacIndex(), write)).not.toThrow()
})

describe('rules of very many combinations', () => {
  const many = (letter: string, count: number) => Array.from({ length: count }, (_, at) => `${letter}${at}`)
  const product: PolicyRule = { verbs: many('v', 2000), apiGroups: many('g', 2000), resources: many('r', 2000) }
  const single = (at: number): PolicyRule => ({ verbs: [`v${at}`], apiGroups: [`g${at}`], resources: ['r'] })

  test('are refused with some of the missing permissions', () => {
    const attempt = world([pods('get')])
    expect(() => attempt({ object: role(product) })).toThrow(/{APIGroups:\["g0"\], Resources:\["r0"\], Verbs:\["v0"/)
  })

  test('are allowed when one held rule has all of them', () => {
    const attempt = world([product])
    expect(() => attempt({ object: role(product) })).not.toThrow()
  })

  test('are refused when they cannot be compared in time', () => {
    const held = Array.from({ length: 15_000 }, (_, at) => single(at))
    const attempt = world(held)
    expect(() => attempt({ object: role(...held.toReversed()) })).toThrow('the rules are too many to compare')
    expect(() => attempt({ object: role(...held.slice(0, 10)) })).not.toThrow()
  })
})
