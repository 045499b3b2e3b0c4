import type { Estate } from '../estate/index.ts'
import type { InstanceKey, NodePlace } from '../plan/index.ts'

/** How many instances of an object are ready, and how many were last seen different from what was applied. */
export async function countInstances(
  estate: Estate,
  node: NodePlace,
  /** Instances that the object no longer wants. */
  unwanted: ReadonlySet<InstanceKey> = new Set(),
): Promise<{ readonly ready: number; readonly drifted: number }> {
  let [ready, drifted] = [0, 0]
  let after: { readonly key: InstanceKey } | undefined
  for (;;) {
    const { instances, more } = await estate.instances(node, after, together)
    for (const { instance, current, observed } of instances) {
      if (current?.record.status === 'ready' && !unwanted.has(instance)) ready++
      if (current !== undefined && observed !== undefined) drifted++
    }
    if (!more) return { ready, drifted }
    after = { key: instances.at(-1)!.instance }
  }
}

const together = 500
