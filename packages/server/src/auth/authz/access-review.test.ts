import { describe, expect, test } from 'vitest'
import { reviewLocalSubjectAccess, reviewSelfSubjectAccess, reviewSubjectAccess } from './access-review.ts'
import { createRbacAuthorizer } from './rbac-authorizer.ts'
import { RbacIndex } from './rbac-index.ts'
import { reviewSelfSubjectRules } from './rules-review.ts'

const index = new RbacIndex()
index.put('root', 'ClusterRole', '', 'r', {
  rules: [
    { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments', 'deployments/scale'], resourceNames: ['web'] },
    { verbs: ['get'], nonResourceURLs: ['/metrics'] },
  ],
})
index.put('root', 'ClusterRoleBinding', '', 'b', {
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
  subjects: [{ kind: 'Group', name: 'dev' }],
})
index.put('root', 'RoleBinding', 'prod', 'gone', {
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'gone' },
  subjects: [{ kind: 'User', name: 'jane' }],
})
const context = { authorizer: createRbacAuthorizer(index), cluster: 'root' }
const jane = { name: 'jane', groups: ['dev'] }
const reason = 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to Group "dev"'

const web = { verb: 'get', group: 'apps', resource: 'deployments', name: 'web', namespace: 'prod' }
const review = (spec: object, metadata: object = {}) => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'Review',
  metadata,
  spec,
})

describe('a SubjectAccessReview', () => {
  test('answers for the named user, and returns its spec', () => {
    const asked = review({ user: 'x', groups: ['dev'], resourceAttributes: { ...web, subresource: 'scale' } })
    expect(reviewSubjectAccess(asked, context)).toEqual({ ...asked, status: { allowed: true, reason } })
    expect(reviewSubjectAccess(review({ user: 'x', resourceAttributes: web }), context).status).toEqual({
      allowed: false,
    })
    const path = review({ groups: ['dev'], nonResourceAttributes: { path: '/metrics', verb: 'get' } })
    expect(reviewSubjectAccess(path, context).status).toEqual({ allowed: true, reason })
  })

  test('about a user of another logical cluster is denied', () => {
    const asked = review({ user: 'x', groups: ['dev'], resourceAttributes: web })
    expect(reviewSubjectAccess(asked, { ...context, cluster: 'other' }).status).toEqual({ allowed: false })
  })

  test.each<[string, object, object, string]>([
    [
      'no attributes',
      { user: 'a' },
      {},
      'spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ],
    [
      'both attributes',
      { user: 'a', resourceAttributes: {}, nonResourceAttributes: {} },
      {},
      'spec.nonResourceAttributes: Invalid value: {}: cannot be specified in combination with resourceAttributes',
    ],
    [
      'no user',
      { resourceAttributes: {} },
      {},
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    ],
    [
      'a name',
      { user: 'a', resourceAttributes: {} },
      { name: 'x' },
      'metadata: Invalid value: {"name":"x"}: must be empty',
    ],
  ])('with %s is 422', (_, spec, metadata, message) => {
    expect(() => reviewSubjectAccess(review(spec, metadata), context)).toThrow(
      expect.objectContaining({
        reason: 'Invalid',
        message: `SubjectAccessReview.authorization.k8s.io "" is invalid: ${message}`,
      }),
    )
  })
})

describe('a LocalSubjectAccessReview', () => {
  const local = (namespace: string, spec: object) => review({ user: 'x', groups: ['dev'], ...spec }, { namespace })

  test('answers for its own namespace', () => {
    const answer = reviewLocalSubjectAccess(local('prod', { resourceAttributes: web }), 'prod', context)
    expect(answer.status).toEqual({ allowed: true, reason })
  })

  test.each<[string, string, object, string]>([
    ['another namespace', 'prod', local('prod', { resourceAttributes: { ...web, namespace: 'test' } }), 'Invalid'],
    ['a path', 'prod', local('prod', { nonResourceAttributes: {} }), 'Invalid'],
    ['another namespace than the request', 'test', local('prod', { resourceAttributes: web }), 'BadRequest'],
  ])('about %s is rejected', (_, namespace, asked, reason) => {
    expect(() => reviewLocalSubjectAccess(asked as never, namespace, context)).toThrow(
      expect.objectContaining({ reason }),
    )
  })
})

test('a SelfSubjectAccessReview answers for the requesting user', () => {
  const asked = review({ user: 'admin', groups: ['system:masters'], resourceAttributes: { ...web, verb: 'delete' } })
  expect(reviewSelfSubjectAccess(asked, jane, context).status).toEqual({
    allowed: false,
    reason: expect.stringContaining('not found'),
  })
  expect(reviewSelfSubjectAccess(review({ resourceAttributes: web }), jane, context).status).toEqual({
    allowed: true,
    reason,
  })
})

describe('a SelfSubjectRulesReview', () => {
  test('lists rules for resources and paths, and errors', () => {
    expect(reviewSelfSubjectRules(review({ namespace: 'prod' }), jane, context).status).toEqual({
      resourceRules: [
        {
          verbs: ['get'],
          apiGroups: ['apps'],
          resources: ['deployments', 'deployments/scale'],
          resourceNames: ['web'],
        },
      ],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }],
      incomplete: false,
      evaluationError: 'role.rbac.authorization.k8s.io "gone" not found',
    })
  })

  test('without a namespace is 400', () => {
    expect(() => reviewSelfSubjectRules(review({}), jane, context)).toThrow(
      expect.objectContaining({ reason: 'BadRequest' }),
    )
  })
})
