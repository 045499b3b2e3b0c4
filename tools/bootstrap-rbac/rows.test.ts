import { expect, test } from 'vitest'
import { policyRows } from './rows.ts'

test('roles and bindings are converted to rows', () => {
  const text = `
apiVersion: v1
kind: List
items:
- kind: ClusterRole
  metadata: {name: edit, labels: {rbac.authorization.k8s.io/aggregate-to-admin: "true"}}
  aggregationRule: {clusterRoleSelectors: [{matchLabels: {rbac.authorization.k8s.io/aggregate-to-edit: "true"}}]}
  rules: null
- kind: Role
  metadata: {name: r, namespace: n}
  rules:
  - {verbs: [get, list], apiGroups: ["", apps], resources: [pods], resourceNames: [a]}
  - {verbs: [get], nonResourceURLs: [/a, /b/*]}
- kind: RoleBinding
  metadata: {name: b, namespace: n}
  roleRef: {kind: Role, name: r}
  subjects: [{kind: User, name: u}, {kind: ServiceAccount, namespace: s, name: a}]
`
  expect(policyRows([text])).toEqual({
    roles: [
      '{"name":"edit","to":"admin","from":"edit","rules":[]}',
      '{"name":"r","namespace":"n","rules":[["get,list",",apps","pods","a"],["get","/a,/b/*"]]}',
    ],
    bindings: ['{"name":"b","namespace":"n","role":"Role/r","subjects":["User/u","ServiceAccount/s/a"]}'],
  })
})
