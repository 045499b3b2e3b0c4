import type { UserInfo } from '../user-info.ts'

/** An authorization question: may this user do this, in this logical cluster. Fields that do not apply are ''. */
export interface Attributes {
  readonly user: UserInfo
  readonly verb: string
  /** Name of the logical cluster. */
  readonly cluster: string
  readonly apiGroup: string
  readonly apiVersion: string
  /** Plural name. */
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** Path without `/clusters/<name>`; used only for requests outside of resources. */
  readonly path: string
  readonly isResourceRequest: boolean
}

/** Attributes of a request for a resource. */
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

/** Attributes of a request for another path. */
export function pathAttributes(given: Pick<Attributes, 'user' | 'verb' | 'cluster' | 'path'>): Attributes {
  const none = { apiGroup: '', apiVersion: '', resource: '', subresource: '', namespace: '', name: '' }
  return { ...none, ...given, isResourceRequest: false }
}
