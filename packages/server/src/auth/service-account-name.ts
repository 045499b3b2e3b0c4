import { wellKnown } from './user-info.ts'

const prefix = 'system:serviceaccount:'

/** Namespace and name of a service account. */
export interface ServiceAccountName {
  readonly namespace: string
  readonly name: string
}

/** Returns the user name of a service account. */
export function serviceAccountUserName({ namespace, name }: ServiceAccountName): string {
  return `${prefix}${namespace}:${name}`
}

/** Returns the groups of all service accounts of a namespace. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return [wellKnown.serviceAccounts, `${wellKnown.serviceAccounts}:${namespace}`]
}

/** Parses the user name of a service account; undefined for other users. */
export function serviceAccountFrom(userName: string): ServiceAccountName | undefined {
  if (!userName.startsWith(prefix)) return undefined
  const [namespace = '', name = '', ...rest] = userName.slice(prefix.length).split(':')
  if (rest.length > 0 || !label.test(namespace) || namespace.length > 63) return undefined
  if (!subdomain.test(name) || name.length > 253) return undefined
  return { namespace, name }
}

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
