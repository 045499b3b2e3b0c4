import { quote } from '../go-format.ts'
import { serviceAccountUserName } from '../service-account-name.ts'
import type { UserInfo } from '../user-info.ts'
import { type RoleRef, roleRefOf, type Subject, subjectsOf } from './policy-rule.ts'

/** A RoleBinding or ClusterRoleBinding, parsed for authorization. */
export interface Binding {
  readonly name: string
  /** '' for a ClusterRoleBinding. */
  readonly namespace: string
  readonly roleRef: RoleRef
  readonly subjects: readonly Subject[]
}

export function bindingFrom(namespace: string, name: string, object: unknown): Binding {
  return { name, namespace, roleRef: roleRefOf(object), subjects: subjectsOf(object) }
}

/** Index keys of a binding: one for each valid subject. */
export function subjectKeys({ subjects, namespace }: Binding): string[] {
  return subjects.map((subject) => subjectKey(subject, namespace)).filter((key) => key !== undefined)
}

/** Index keys that match a user. */
export function userKeys({ name, groups }: UserInfo): string[] {
  return [`User:${name}`, ...groups.map((group) => `Group:${group}`)]
}

/** RBAC's reason for a grant; names the first subject that matches the user. */
export function describeBinding(binding: Binding, user: UserInfo): string {
  const { name, namespace, roleRef, subjects } = binding
  const keys = new Set(userKeys(user))
  const subject = subjects.find((candidate) => keys.has(subjectKey(candidate, namespace) ?? ''))
  const title = namespace === '' ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`
  return `${title} of ${roleRef.kind} ${quote(roleRef.name)} to ${subject && describeSubject(subject, namespace)}`
}

function subjectKey({ kind, name, namespace = '' }: Subject, bindingNamespace: string): string | undefined {
  switch (kind) {
    case 'User':
    case 'Group':
      return `${kind}:${name}`
    case 'ServiceAccount': {
      // Without a namespace a service account is in the binding's namespace; in a ClusterRoleBinding it matches no
      // user.
      const place = namespace === '' ? bindingNamespace : namespace
      return place === '' ? undefined : `User:${serviceAccountUserName({ namespace: place, name })}`
    }
    default:
      return undefined
  }
}

function describeSubject({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  return kind === 'ServiceAccount'
    ? `${kind} ${quote(`${name}/${namespace ?? bindingNamespace}`)}`
    : `${kind} ${quote(name)}`
}
