import { isObject, listOf, objectOf, textOf, textsOf, type Untyped } from '../untyped.ts'

/** An RBAC rule: verbs on resources, or on paths. */
export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

/** Subject of a binding. */
export interface Subject {
  readonly kind: string
  readonly apiGroup?: string
  readonly name: string
  readonly namespace?: string
}

/** Role of a binding. */
export interface RoleRef {
  readonly apiGroup: string
  readonly kind: string
  readonly name: string
}

/** The four kinds of the group `rbac.authorization.k8s.io`. */
export type RbacKind = 'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding'

export const rbacGroup = 'rbac.authorization.k8s.io'

/** Rules of a Role or ClusterRole. */
export function rulesOf(role: unknown): readonly PolicyRule[] {
  return listOf(objectOf(role).rules).filter(isObject).map(ruleFrom)
}

/** Subjects of a binding. */
export function subjectsOf(binding: unknown): readonly Subject[] {
  return listOf(objectOf(binding).subjects).filter(isObject).map(subjectFrom)
}

/** Role reference of a binding. */
export function roleRefOf(binding: unknown): RoleRef {
  const { apiGroup, kind, name } = objectOf(objectOf(binding).roleRef)
  return { apiGroup: textOf(apiGroup), kind: textOf(kind), name: textOf(name) }
}

// Empty lists are dropped, so that equal rules have equal JSON.
function ruleFrom(rule: Untyped): PolicyRule {
  const lists = ['apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'] as const
  const given = lists.map((name) => [name, textsOf(rule[name])] as const).filter(([, items]) => items.length > 0)
  return { verbs: textsOf(rule.verbs), ...Object.fromEntries(given) }
}

function subjectFrom({ kind, apiGroup, name, namespace }: Untyped): Subject {
  return {
    kind: textOf(kind),
    ...(textOf(apiGroup) === '' ? {} : { apiGroup: textOf(apiGroup) }),
    name: textOf(name),
    ...(textOf(namespace) === '' ? {} : { namespace: textOf(namespace) }),
  }
}
