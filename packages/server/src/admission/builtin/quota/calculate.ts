import { quantityFromInteger } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import { type Amounts, addAmounts, amountsFrom, amountsToObject, onlyNamed } from '../amounts.ts'
import { isInScopes } from './scopes.ts'
import { type CountedResource, isPlainCount, resourceOfName, usageOf } from './usage.ts'

/** Reads the objects of a namespace. */
export interface QuotaContent {
  /** Number of objects of a resource in the namespace; 0 for one that is not served. */
  count(resource: CountedResource): Promise<number>
  /** All objects of a resource in the namespace. */
  objects(resource: CountedResource): AsyncIterable<KubernetesObject>
}

/** Computes the status of a quota: limits and usage. Objects are read only where their content counts. */
export async function calculateQuota(
  quota: KubernetesObject,
  content: QuotaContent,
): Promise<{ readonly hard: Record<string, string>; readonly used: Record<string, string> }> {
  const hard = amountsFrom((quota.spec as { hard?: unknown } | undefined)?.hard)
  const scoped = isScoped(quota)
  let used: Amounts = new Map([...hard.keys()].map((name) => [name, quantityFromInteger(0)]))
  for (const [text, names] of Map.groupBy(hard.keys(), (name) => keyOf(resourceOfName(name)))) {
    if (text === undefined) continue
    const resource = JSON.parse(text) as CountedResource
    if (!scoped && names.every(isPlainCount)) {
      const count = quantityFromInteger(await content.count(resource))
      used = addAmounts(used, new Map(names.map((name) => [name, count])))
    } else used = addAmounts(used, onlyNamed(await sumOf(quota, resource, content), new Set(names)))
  }
  return { hard: amountsToObject(hard), used: amountsToObject(used) }
}

async function sumOf(quota: KubernetesObject, resource: CountedResource, content: QuotaContent): Promise<Amounts> {
  let sum: Amounts = new Map()
  for await (const object of content.objects(resource))
    if (isInScopes(quota, resource, object)) sum = addAmounts(sum, usageOf(resource, object))
  return sum
}

function isScoped({ spec }: KubernetesObject): boolean {
  const { scopes, scopeSelector } = (spec ?? {}) as {
    scopes?: unknown[]
    scopeSelector?: { matchExpressions?: unknown[] }
  }
  return (scopes?.length ?? 0) > 0 || (scopeSelector?.matchExpressions?.length ?? 0) > 0
}

function keyOf(resource: CountedResource | undefined): string | undefined {
  return resource === undefined ? undefined : JSON.stringify(resource)
}
