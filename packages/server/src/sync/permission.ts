import { type Authorizer, resourceAttributes, type UserInfo } from '../auth/index.ts'

/** A permission on objects of `hykube.io`. */
export interface AskedPermission {
  readonly cluster: string
  readonly verb: string
  readonly resource: string
  readonly subresource?: string
  readonly namespace: string
}

/** Asks an authorizer whether a user may do something, as it knows the user now. */
export function allowing(authorizer: Authorizer): (user: UserInfo, asked: AskedPermission) => boolean {
  return (user, asked) =>
    authorizer.authorize(resourceAttributes({ user, apiGroup: 'hykube.io', apiVersion: 'v1alpha1', ...asked })).allowed
}
