import { type Authorizer, resourceAttributes, type UserInfo } from '../auth/index.ts'
import type { ResourceRef } from '../model/index.ts'

/** Names an object that manages a resource to users who may read it; to others it is `another object`. */
export function holderName(authorizer: Authorizer, user: UserInfo, holder: ResourceRef): string {
  const { cluster, group, resource, namespace, name } = holder
  const attributes = resourceAttributes({ user, cluster, verb: 'get', apiGroup: group, resource, namespace, name })
  const isReadable = authorizer.authorize(attributes).allowed
  return isReadable ? `${resource} "${name}" in namespace "${namespace}"` : 'another object'
}
