import type { KubernetesObject } from '@hykube/machinery/object'
import type { Client, Stored } from '@hykube/runtime/client'

/**
 * Returns the rules that an aggregated role must have, given all roles; undefined when it has them or is not
 * aggregated.
 */
export type AggregatedRules = (role: object, clusterRoles: Iterable<object>) => readonly object[] | undefined

export const clusterRoles = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' } as const

/** Updates the rules of all aggregated roles of a logical cluster. */
export async function aggregateClusterRoles(
  client: Client,
  aggregatedRules: AggregatedRules,
  signal: AbortSignal,
): Promise<void> {
  const roles: Stored[] = []
  for await (const { items } of client.pages(clusterRoles, { signal })) roles.push(...(items as Stored[]))
  for (const [role, rules] of settled(roles, aggregatedRules)) {
    const { name = '', resourceVersion } = role.metadata
    const patch = { metadata: { resourceVersion }, rules }
    const options = { fieldManager: 'clusterrole-aggregation-controller', signal }
    await client.patch({ ...clusterRoles, name }, { kind: 'merge', patch }, options)
  }
}

// An aggregated role may select another one, so rules are propagated until nothing changes. Cycles terminate too,
// because rules are only added. The round limit guards against an `aggregatedRules` that violates this.
function settled(given: readonly Stored[], aggregatedRules: AggregatedRules): Map<Stored, readonly object[]> {
  const changed = new Map<Stored, readonly object[]>()
  const current = new Map<Stored, KubernetesObject>(given.map((role) => [role, role]))
  for (let round = 0; round < given.length + 1; round++) {
    let moved = false
    for (const [role, now] of current) {
      const rules = aggregatedRules(now, current.values())
      if (rules === undefined) continue
      moved = true
      changed.set(role, rules)
      current.set(role, { ...now, rules })
    }
    if (!moved) break
  }
  return changed
}
