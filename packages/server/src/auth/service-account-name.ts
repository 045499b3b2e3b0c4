import { wellKnown } from './user-info.ts'

const prefix = 'system:serviceaccount:'

/** A service account's place. */
export interface ServiceAccountName {
  readonly namespace: string
  readonly name: string
}

/** The user name of a service account. */
export function serviceAccountUserName({ namespace, name }: ServiceAccountName): string {
  return `${prefix}${namespace}:${name}`
}

/** The groups every service account of a namespace is in. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return [wellKnown.serviceAccounts, `${wellKnown.serviceAccounts}:${namespace}`]
}

/** The service account a user name stands for; undefined for any other user. */
export function serviceAccountFrom(userName: string): ServiceAccountName | undefined {
  if (!userName.startsWith(prefix)) return undefined
  const [namespace = '', name = '', ...rest] = userName.slice(prefix.length).split(':')
  if (rest.length > 0 || !label.test(namespace) || namespace.length > 63) return undefined
  if (!subdomain.test(name) || name.length > 253) return undefined
  return { namespace, name }
}

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
