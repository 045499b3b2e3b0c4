import type { UserInfo } from '../user-info.ts'

/** What is asked: may this user do this to that, in this logical cluster. Fields that don't apply are ''. */
export interface Attributes {
  readonly user: UserInfo
  readonly verb: string
  /** The logical cluster's name. */
  readonly cluster: string
  readonly apiGroup: string
  readonly apiVersion: string
  /** The plural. */
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** The path without `/clusters/<name>`; what counts when it is not a resource request. */
  readonly path: string
  readonly isResourceRequest: boolean
}

/** Attributes of a request for a resource, from the fields that apply. */
export function resourceAttributes(
  given: Pick<Attributes, 'user' | 'verb' | 'cluster' | 'resource'> & Partial<Attributes>,
): Attributes {
  return {
    apiGroup: '',
    apiVersion: '*',
    subresource: '',
    namespace: '',
    name: '',
    path: '',
    ...given,
    isResourceRequest: true,
  }
}

/** Attributes of a request for anything else. */
export function pathAttributes(given: Pick<Attributes, 'user' | 'verb' | 'cluster' | 'path'>): Attributes {
  const none = { apiGroup: '', apiVersion: '', resource: '', subresource: '', namespace: '', name: '' }
  return { ...none, ...given, isResourceRequest: false }
}
