import type { KubernetesObject } from '@hykube/machinery/object'
import { podResources } from '../pod-resources.ts'
import type { CountedResource } from './usage.ts'

/**
 * True when a quota applies to an object: one with scopes applies to the pods that match all of them, and to nothing
 * else.
 */
export function isInScopes(
  quota: KubernetesObject,
  { group, plural }: CountedResource,
  object: KubernetesObject,
): boolean {
  const spec = (quota.spec ?? {}) as QuotaSpec
  const selectors: Requirement[] = [
    ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...(spec.scopeSelector?.matchExpressions ?? []),
  ]
  if (selectors.length === 0) return true
  return group === '' && plural === 'pods' && selectors.every((selector) => isInScope(object, selector))
}

interface QuotaSpec {
  readonly scopes?: readonly string[] | null
  readonly scopeSelector?: { readonly matchExpressions?: readonly Requirement[] | null } | null
}

interface Requirement {
  readonly scopeName: string
  readonly operator: string
  readonly values?: readonly string[] | null
}

interface PodSpec {
  readonly activeDeadlineSeconds?: number | null
  readonly priorityClassName?: string
  readonly affinity?: Readonly<Record<string, Record<string, readonly AffinityTerm[] | null> | null>> | null
}

interface AffinityTerm {
  readonly namespaces?: readonly string[] | null
  readonly namespaceSelector?: unknown
  readonly podAffinityTerm?: AffinityTerm
}

function isInScope(pod: KubernetesObject, requirement: Requirement): boolean {
  const spec = (pod.spec ?? {}) as PodSpec
  switch (requirement.scopeName) {
    case 'Terminating':
      return spec.activeDeadlineSeconds != null
    case 'NotTerminating':
      return spec.activeDeadlineSeconds == null
    case 'BestEffort':
      return isBestEffort(pod)
    case 'NotBestEffort':
      return !isBestEffort(pod)
    case 'PriorityClass':
      return hasPriority(spec.priorityClassName ?? '', requirement)
    case 'CrossNamespacePodAffinity':
      return hasCrossNamespaceAffinity(spec)
    default:
      return false
  }
}

function isBestEffort(pod: KubernetesObject): boolean {
  const { containers, initContainers, requests, limits } = podResources(pod)
  const asks = [...containers, ...initContainers].flatMap((each) => [each.requests, each.limits])
  return [...asks, requests, limits].every((amounts) => !amounts.has('cpu') && !amounts.has('memory'))
}

function hasPriority(name: string, { operator, values }: Requirement): boolean {
  switch (operator) {
    case 'Exists':
      return name !== ''
    case 'DoesNotExist':
      return name === ''
    case 'In':
      return (values ?? []).includes(name)
    case 'NotIn':
      return !(values ?? []).includes(name)
    default:
      return false
  }
}

function hasCrossNamespaceAffinity({ affinity }: PodSpec): boolean {
  const rules = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((each) => Object.values(each ?? {}))
  return rules
    .flatMap((terms) => terms ?? [])
    .map((term) => term.podAffinityTerm ?? term)
    .some(({ namespaces, namespaceSelector }) => (namespaces?.length ?? 0) > 0 || namespaceSelector != null)
}
