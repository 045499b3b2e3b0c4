import { describe, expect, test } from 'vitest'
import { resourceAttributes } from '../authz/attributes.ts'
import type { PolicyRule } from '../authz/policy-rule.ts'
import { createRbacAuthorizer } from '../authz/rbac-authorizer.ts'
import { RbacIndex } from '../authz/rbac-index.ts'
import type { UserInfo } from '../user-info.ts'
import { impersonate, wantedUser } from './impersonation.ts'

const request = (headers: Record<string, string[]>) => ({
  header: (name: string) => headers[name] ?? [],
  headerNames: () => Object.keys(headers),
})

describe('headers', () => {
  test.each<[string, Record<string, string[]>, UserInfo | undefined]>([
    ['without any there is nobody', { accept: ['*/*'] }, undefined],
    ['a user', { 'impersonate-user': ['jane'] }, { name: 'jane', groups: [] }],
    [
      'groups are never split at commas',
      { 'impersonate-user': ['a'], 'impersonate-group': ['x, y', 'z'] },
      { name: 'a', groups: ['x, y', 'z'] },
    ],
    ['a uid', { 'impersonate-user': ['a'], 'impersonate-uid': ['u'] }, { name: 'a', uid: 'u', groups: [] }],
    ['an empty user is none', { 'impersonate-user': [''] }, undefined],
  ])('%s', (_, headers, user) => {
    expect(wantedUser(request(headers))).toEqual(user)
  })

  test('extras are decoded, with all their values', () => {
    const headers = {
      'impersonate-user': ['a'],
      'impersonate-extra-acme.com%2fscope': ['x', 'y'],
      'impersonate-extra-%zz': ['q'],
      'impersonate-extra-__proto__': ['p'],
    }
    expect(Object.entries(wantedUser(request(headers))!.extra!)).toEqual([
      ['acme.com/scope', ['x', 'y']],
      ['%zz', ['q']],
      ['__proto__', ['p']],
    ])
  })

  test.each<[string, Record<string, string[]>, string]>([
    [
      'a group',
      { 'impersonate-group': ['g'] },
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
    ],
    ['a uid', { 'impersonate-uid': ['u'] }, 'UID:"u"'],
    ['an extra', { 'impersonate-extra-k': ['v'] }, 'Extra:map[string][]string{"k":[]string{"v"}}'],
  ])('%s without a user is 400', (_, headers, message) => {
    expect(() => wantedUser(request(headers))).toThrow(
      expect.objectContaining({ reason: 'BadRequest', message: expect.stringContaining(message) }),
    )
  })
})

/** Returns the user that jane becomes with these rules when she lists pods. */
function become(
  wanted: Partial<UserInfo> & { name: string },
  rules: readonly PolicyRule[],
  real: UserInfo = { name: 'jane', groups: [] },
): UserInfo {
  const index = new RbacIndex()
  index.put('root', 'ClusterRole', '', 'r', { rules })
  index.put('root', 'ClusterRoleBinding', '', 'b', {
    roleRef: { kind: 'ClusterRole', name: 'r' },
    subjects: [{ kind: 'User', name: real.name }],
  })
  const attributes = resourceAttributes({
    user: real,
    verb: 'list',
    cluster: 'root',
    resource: 'pods',
    namespace: 'prod',
  })
  return impersonate({ groups: [], ...wanted }, attributes, createRbacAuthorizer(index))
}

const may = (resource: string, ...resourceNames: string[]): PolicyRule => ({
  verbs: ['impersonate'],
  apiGroups: ['', 'authentication.k8s.io'],
  resources: [resource],
  ...(resourceNames.length === 0 ? {} : { resourceNames }),
})

describe('by the verb impersonate', () => {
  test.each<[string, Partial<UserInfo> & { name: string }, PolicyRule[], readonly string[]]>([
    ['a user', { name: 'john' }, [may('users', 'john')], ['system:authenticated']],
    [
      'a user and its groups',
      { name: 'john', groups: ['dev'] },
      [may('users'), may('groups', 'dev')],
      ['dev', 'system:authenticated'],
    ],
    ['nobody', { name: 'system:anonymous' }, [may('users')], ['system:unauthenticated']],
    [
      'unauthenticated, as asked',
      { name: 'john', groups: ['system:unauthenticated'] },
      [may('users'), may('groups')],
      ['system:unauthenticated'],
    ],
    [
      'a service account with its own groups',
      { name: 'system:serviceaccount:ci:builder' },
      [may('serviceaccounts', 'builder')],
      ['system:serviceaccounts', 'system:serviceaccounts:ci', 'system:authenticated'],
    ],
    [
      'a service account with other groups',
      { name: 'system:serviceaccount:ci:builder', groups: ['x'] },
      [may('serviceaccounts'), may('groups')],
      ['x', 'system:authenticated'],
    ],
    [
      'what is no service account is a user',
      { name: 'system:serviceaccount:CI:builder' },
      [may('users')],
      ['system:authenticated'],
    ],
    [
      'masters, by whoever may be any group',
      { name: 'root', groups: ['system:masters'] },
      [may('users'), may('groups')],
      ['system:masters', 'system:authenticated'],
    ],
    ['a node is a user', { name: 'system:node:n' }, [may('users')], ['system:authenticated']],
  ])('%s', (_, wanted, rules, groups) => {
    expect(become(wanted, rules)).toMatchObject({ name: wanted.name, groups })
  })

  test('uid and extras need permission of their own', () => {
    const wanted = { name: 'john', uid: 'u', extra: { 'acme.com/scope': ['read'] } }
    const rules = [may('users'), may('uids', 'u'), may('userextras/acme.com/scope', 'read')]
    expect(become(wanted, rules)).toEqual({ ...wanted, groups: ['system:authenticated'] })
    for (const without of [0, 1, 2]) expect(() => become(wanted, rules.toSpliced(without, 1))).toThrow(/is forbidden/)
  })
})

describe('attacks are refused', () => {
  test.each<[string, Partial<UserInfo> & { name: string }, PolicyRule[]]>([
    ['no permission', { name: 'john' }, []],
    ['permission for another user', { name: 'root' }, [may('users', 'john')]],
    ['a group without permission', { name: 'john', groups: ['system:masters'] }, [may('users')]],
    [
      'one group of two without permission',
      { name: 'john', groups: ['dev', 'ops'] },
      [may('users'), may('groups', 'dev')],
    ],
    ['a service account by permission for users', { name: 'system:serviceaccount:kube-system:x' }, [may('users')]],
    [
      'everything but the verb',
      { name: 'john' },
      [{ verbs: ['get', 'list', 'update'], apiGroups: ['*'], resources: ['*'] }],
    ],
    [
      'masters by a constrained mode',
      { name: 'john', groups: ['system:masters'] },
      [{ verbs: ['impersonate:user-info', 'impersonate-on:user-info:list'], apiGroups: ['*'], resources: ['*'] }],
    ],
    [
      'an extra key that is none, by a constrained mode',
      { name: 'john', extra: { 'Not a key': ['v'] } },
      [{ verbs: ['impersonate:user-info', 'impersonate-on:user-info:list'], apiGroups: ['*'], resources: ['*'] }],
    ],
  ])('%s', (_, wanted, rules) => {
    expect(() => become(wanted, rules)).toThrow(expect.objectContaining({ reason: 'Forbidden', code: 403 }))
  })

  test('a permission of another logical cluster', () => {
    const index = new RbacIndex()
    index.put('other', 'ClusterRole', '', 'r', { rules: [may('users')] })
    index.put('other', 'ClusterRoleBinding', '', 'b', {
      roleRef: { kind: 'ClusterRole', name: 'r' },
      subjects: [{ kind: 'User', name: 'jane' }],
    })
    const attributes = resourceAttributes({
      user: { name: 'jane', groups: [] },
      verb: 'list',
      cluster: 'root',
      resource: 'pods',
    })
    expect(() => impersonate({ name: 'john', groups: [] }, attributes, createRbacAuthorizer(index))).toThrow(
      /is forbidden/,
    )
  })
})

describe('by constrained modes', () => {
  const constrained = (mode: string, resource: string, verb = 'list'): PolicyRule[] => [
    { verbs: [`impersonate:${mode}`], apiGroups: ['authentication.k8s.io'], resources: [resource] },
    { verbs: [`impersonate-on:${mode}:${verb}`], apiGroups: [''], resources: ['pods'] },
  ]

  test('a user, for what the request does alone', () => {
    expect(become({ name: 'john' }, constrained('user-info', 'users')).groups).toEqual(['system:authenticated'])
    expect(() => become({ name: 'john' }, constrained('user-info', 'users', 'get'))).toThrow(
      'pods is forbidden: User "jane" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "prod"',
    )
  })

  test('a service account, whose groups are fixed', () => {
    const rules = constrained('serviceaccount', 'serviceaccounts')
    expect(become({ name: 'system:serviceaccount:ci:builder' }, rules).groups).toContain('system:serviceaccounts:ci')
    expect(() => become({ name: 'system:serviceaccount:ci:builder', groups: ['x'] }, rules)).toThrow(/is forbidden/)
    expect(() => become({ name: 'system:serviceaccount:ci:builder' }, constrained('user-info', 'users'))).toThrow(
      /is forbidden/,
    )
  })

  test('any node, or one’s own', () => {
    expect(become({ name: 'system:node:n' }, constrained('arbitrary-node', 'nodes')).groups).toEqual([
      'system:nodes',
      'system:authenticated',
    ])
    const agent = (node: string) => ({
      name: 'system:serviceaccount:kube-system:agent',
      groups: [],
      extra: { 'authentication.kubernetes.io/node-name': [node] },
    })
    const rules = constrained('associated-node', 'nodes')
    expect(become({ name: 'system:node:n' }, rules, agent('n'))).toMatchObject({
      name: 'system:node:n',
      groups: ['system:nodes', 'system:authenticated'],
    })
    expect(() => become({ name: 'system:node:other' }, rules, agent('n'))).toThrow(/is forbidden/)
    expect(() => become({ name: 'system:node:n' }, rules)).toThrow(/is forbidden/)
  })
})
