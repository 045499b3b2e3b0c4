import { parse } from 'yaml'

/** A bootstrap policy file of Kubernetes, with the fields used here. */
interface PolicyList {
  readonly items: readonly PolicyObject[]
}

interface PolicyObject {
  readonly kind: 'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding'
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Record<string, string> }
  readonly aggregationRule?: { readonly clusterRoleSelectors: readonly { matchLabels: Record<string, string> }[] }
  readonly rules?:
    | readonly Record<'verbs' | 'apiGroups' | 'resources' | 'resourceNames' | 'nonResourceURLs', string[]>[]
    | null
  readonly roleRef?: { readonly kind: string; readonly name: string }
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[]
}

/** Returns all roles and bindings of the files, each as one line of TypeScript. */
export function policyRows(files: readonly string[]): { readonly roles: string[]; readonly bindings: string[] } {
  const objects = files.flatMap((text) => (parse(text) as PolicyList).items)
  return {
    roles: objects.filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole').map(roleRow),
    bindings: objects.filter(({ kind }) => kind === 'RoleBinding' || kind === 'ClusterRoleBinding').map(bindingRow),
  }
}

const aggregation = 'rbac.authorization.k8s.io/aggregate-to-'

function roleRow({ metadata, aggregationRule, rules }: PolicyObject): string {
  const selectors = aggregationRule?.clusterRoleSelectors ?? []
  return JSON.stringify({
    name: metadata.name,
    namespace: metadata.namespace,
    to: aggregationTargets(metadata.labels),
    from: selectors.map(({ matchLabels }) => aggregationTargets(matchLabels)).join() || undefined,
    rules: (rules ?? []).map((rule) =>
      rule.nonResourceURLs === undefined
        ? [rule.verbs, rule.apiGroups, rule.resources, rule.resourceNames].flatMap((list) => list?.join() ?? [])
        : [rule.verbs.join(), rule.nonResourceURLs.join()],
    ),
  })
}

function bindingRow({ metadata, roleRef, subjects }: PolicyObject): string {
  return JSON.stringify({
    name: metadata.name,
    namespace: metadata.namespace,
    role: `${roleRef?.kind}/${roleRef?.name}`,
    subjects: (subjects ?? []).map(({ kind, name, namespace }) => [kind, namespace, name].filter(Boolean).join('/')),
  })
}

function aggregationTargets(labels: Record<string, string> = {}): string | undefined {
  const targets = Object.keys(labels).filter((key) => key.startsWith(aggregation))
  return targets.map((key) => key.slice(aggregation.length)).join() || undefined
}
