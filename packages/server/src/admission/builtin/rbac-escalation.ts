import { type Authorizer, checkRbacWrite, type RoleReader } from '../../auth/index.ts'
import type { AdmissionPlugin } from '../chain.ts'

/** Rejects grants of permissions that the user does not have, unless it has the verbs `escalate` or `bind`. */
export function rbacEscalation(authorizer: Authorizer, roles: RoleReader): AdmissionPlugin {
  return {
    name: 'RbacEscalation',
    handles: ({ operation, type }) =>
      type.group === 'rbac.authorization.k8s.io' && (operation === 'CREATE' || operation === 'UPDATE'),
    validate: ({ user, cluster, type, namespace, name, object, old }) => {
      checkRbacWrite(authorizer, roles, {
        user,
        cluster,
        resource: type.names.plural as Parameters<typeof checkRbacWrite>[2]['resource'],
        namespace,
        requestName: name,
        object: object ?? {},
        old,
      })
    },
  }
}
