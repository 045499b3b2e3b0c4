import { compareQuantities } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import { type Amounts, addAmounts, amountsFrom, amountsToText, onlyNamed } from '../amounts.ts'
import { type ContainerResources, podResources } from '../pod-resources.ts'
import { isInScopes } from './scopes.ts'
import { type CountedResource, computeUsage } from './usage.ts'

/** Result of a check: nothing to count, allowed (with the new usage), or the reason for the rejection. */
export type QuotaVerdict =
  | { readonly kind: 'unconcerned' }
  | { readonly kind: 'charged'; readonly used: Amounts }
  | { readonly kind: 'refused'; readonly why: string }

/** Checks the additional usage of an object against a quota. */
export function checkQuota(
  quota: KubernetesObject,
  resource: CountedResource,
  object: KubernetesObject,
  delta: Amounts,
): QuotaVerdict {
  const name = quota.metadata?.name ?? ''
  const { hard: hardNow, used: usedNow } = (quota.status ?? {}) as { hard?: unknown; used?: unknown }
  const hard = amountsFrom((quota.spec as { hard?: unknown } | undefined)?.hard)
  if (!isInScopes(quota, resource, object)) return { kind: 'unconcerned' }
  const missing = missingConstraints(hard, resource, object)
  if (missing !== '') return { kind: 'refused', why: `failed quota: ${name}: must specify ${missing}` }
  const requested = onlyNamed(delta, hard)
  if (requested.size === 0) return { kind: 'unconcerned' }
  const known = onlyNamed(amountsFrom(usedNow), amountsFrom(hardNow))
  const unknown = [...requested.keys()].filter((each) => !known.has(each)).sort()
  if (unknown.length > 0)
    return { kind: 'refused', why: `status unknown for quota: ${name}, resources: ${unknown.join(',')}` }
  const used = addAmounts(known, requested)
  const exceeded = new Set(
    [...requested.keys()].filter((each) => compareQuantities(used.get(each)!, hard.get(each)!) > 0),
  )
  if (exceeded.size === 0) return { kind: 'charged', used }
  const text = (amounts: Amounts) => amountsToText(onlyNamed(amounts, exceeded))
  return {
    kind: 'refused',
    why: `exceeded quota: ${name}, requested: ${text(requested)}, used: ${text(known)}, limited: ${text(hard)}`,
  }
}

const demanded = ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`])

// When a quota limits compute resources, every container must specify them.
function missingConstraints(hard: Amounts, { group, plural }: CountedResource, object: KubernetesObject): string {
  if (group !== '' || plural !== 'pods') return ''
  const required = demanded.filter((name) => hard.has(name)).sort()
  if (required.length === 0) return ''
  const { containers, initContainers } = podResources(object)
  const own = podLevel(object)
  const lacking = (name: string) =>
    [...containers, ...initContainers].filter((container) => !own.has(name) && !statesOf(container).has(name))
  return required
    .map((name) => ({ name, containers: lacking(name).map((container) => container.name) }))
    .filter((each) => each.containers.length > 0)
    .map((each) => `${each.name} for: ${each.containers.sort().join(',')}`)
    .join('; ')
}

function statesOf({ requests, limits }: ContainerResources): Amounts {
  return computeUsage(requests, limits)
}

function podLevel({ spec }: KubernetesObject): Amounts {
  const { resources } = (spec ?? {}) as { resources?: { requests?: unknown; limits?: unknown } | null }
  return computeUsage(amountsFrom(resources?.requests), amountsFrom(resources?.limits))
}
