import { type PolicyRule, type RbacKind, type RoleRef, rbacGroup, type Subject } from '../authz/policy-rule.ts'

/** A role of the table. Lists are joined by commas; the core group is ''. */
export interface RoleRow {
  readonly name: string
  /** Set for a Role. */
  readonly namespace?: string
  /** Aggregated roles that include it. */
  readonly to?: string
  /** Set for an aggregated role: it includes all roles whose `to` names it. */
  readonly from?: string
  /** Verbs, groups, resources and optionally names; or verbs and paths. */
  readonly rules: readonly (readonly string[])[]
}

/** A binding of the table. */
export interface BindingRow {
  readonly name: string
  /** Set for a RoleBinding. */
  readonly namespace?: string
  /** Kind and name, such as `ClusterRole/view`. */
  readonly role: string
  /** Kind and name; service accounts with the namespace in between, such as `ServiceAccount/kube-system/x`. */
  readonly subjects: readonly string[]
}

/** An RBAC object of the bootstrap policy. */
export interface PolicyObject {
  readonly apiVersion: string
  readonly kind: RbacKind
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations: Readonly<Record<string, string>>
  }
  readonly aggregationRule?: { readonly clusterRoleSelectors: readonly object[] }
  readonly rules?: readonly PolicyRule[]
  readonly roleRef?: RoleRef
  readonly subjects?: readonly Subject[]
}

/** "false" disables updates of an object by the policy. */
export const autoUpdateAnnotation = 'rbac.authorization.kubernetes.io/autoupdate'

export function roleFromRow(row: RoleRow): PolicyObject {
  const aggregated = row.from === undefined ? {} : { aggregationRule: selectorsFor(row.from) }
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: row.namespace === undefined ? 'ClusterRole' : 'Role',
    metadata: metadataFrom(row, aggregationLabels(row.to)),
    ...aggregated,
    rules: row.rules.map(ruleFrom),
  }
}

export function bindingFromRow(row: BindingRow): PolicyObject {
  const [kind = '', name = ''] = cut(row.role)
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: row.namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: metadataFrom(row, {}),
    roleRef: { apiGroup: rbacGroup, kind, name },
    ...(row.subjects.length === 0 ? {} : { subjects: row.subjects.map(subjectFrom) }),
  }
}

function metadataFrom({ name, namespace }: RoleRow | BindingRow, labels: Readonly<Record<string, string>>) {
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { [autoUpdateAnnotation]: 'true' },
  }
}

function selectorsFor(targets: string): { clusterRoleSelectors: object[] } {
  return { clusterRoleSelectors: targets.split(',').map((target) => ({ matchLabels: aggregationLabels(target) })) }
}

function aggregationLabels(targets: string | undefined): Readonly<Record<string, string>> {
  const keys = targets?.split(',').map((target) => `${rbacGroup}/aggregate-to-${target}`) ?? []
  return Object.fromEntries(keys.map((key) => [key, 'true']))
}

function ruleFrom(row: readonly string[]): PolicyRule {
  const [verbs = [], second = [], resources, resourceNames] = row.map((list) => list.split(','))
  if (resources === undefined) return { verbs, nonResourceURLs: second }
  return { verbs, apiGroups: second, resources, ...(resourceNames === undefined ? {} : { resourceNames }) }
}

function subjectFrom(text: string): Subject {
  const [kind, rest] = cut(text)
  if (kind !== 'ServiceAccount') return { kind, apiGroup: rbacGroup, name: rest }
  const [namespace, name] = cut(rest)
  return { kind, name, namespace }
}

function cut(text: string): [string, string] {
  const slash = text.indexOf('/')
  return [text.slice(0, slash), text.slice(slash + 1)]
}
