import { isObject, listOf, objectOf, textOf, textsOf, type Untyped } from '../untyped.ts'

/** RBAC's rule: verbs on resources of groups, or on paths. */
export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

/** Whom a binding means. */
export interface Subject {
  readonly kind: string
  readonly apiGroup?: string
  readonly name: string
  readonly namespace?: string
}

/** The role a binding gives. */
export interface RoleRef {
  readonly apiGroup: string
  readonly kind: string
  readonly name: string
}

/** The four kinds, in the group `rbac.authorization.k8s.io`. */
export type RbacKind = 'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding'

export const rbacGroup = 'rbac.authorization.k8s.io'

/** The rules of a Role or ClusterRole. */
export function rulesOf(role: unknown): readonly PolicyRule[] {
  return listOf(objectOf(role).rules).filter(isObject).map(ruleFrom)
}

/** The subjects of a binding. */
export function subjectsOf(binding: unknown): readonly Subject[] {
  return listOf(objectOf(binding).subjects).filter(isObject).map(subjectFrom)
}

/** The role that a binding refers to. */
export function roleRefOf(binding: unknown): RoleRef {
  const { apiGroup, kind, name } = objectOf(objectOf(binding).roleRef)
  return { apiGroup: textOf(apiGroup), kind: textOf(kind), name: textOf(name) }
}

// Empty lists are left out, so that a rule equals itself however it was written.
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
