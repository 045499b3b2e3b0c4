import { expect, test } from 'vitest'
import { type Attributes, pathAttributes, resourceAttributes } from './attributes.ts'
import { forbiddenError } from './forbidden.ts'

const asked = { user: { name: 'u', groups: [] }, verb: 'list', cluster: 'root' }

test.each<[Attributes, string, string]>([
  [
    resourceAttributes({ ...asked, resource: 'pods', namespace: 'n' }),
    '',
    'pods is forbidden: User "u" cannot list resource "pods" in API group "" in the namespace "n"',
  ],
  [
    resourceAttributes({
      ...asked,
      verb: 'update',
      resource: 'deployments',
      subresource: 'scale',
      apiGroup: 'apps',
      name: 'web',
    }),
    '',
    'deployments.apps "web" is forbidden: User "u" cannot update resource "deployments/scale" in API group "apps" at the cluster scope',
  ],
  [
    resourceAttributes({ ...asked, resource: 'pods' }),
    'RBAC: clusterrole.rbac.authorization.k8s.io "x" not found',
    'pods is forbidden: User "u" cannot list resource "pods" in API group "" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "x" not found',
  ],
  [
    pathAttributes({ ...asked, verb: 'get', path: '/<script>&' }),
    '',
    'forbidden: User "u" cannot get path "/&lt;script&gt;&amp;"',
  ],
])('%#', (attributes, reason, message) => {
  const error = forbiddenError(attributes, reason)
  expect(error).toMatchObject({ reason: 'Forbidden', code: 403, message })
})
