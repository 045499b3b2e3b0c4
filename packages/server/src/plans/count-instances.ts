import type { Estate } from '../estate/index.ts'
import { type InstanceKey, isDrifted, type ResourceRef } from '../model/index.ts'

/** Counts the ready and the drifted instances of an object. */
export async function countInstances(
  estate: Estate,
  ref: ResourceRef,
  /** Instances that are no longer desired. */
  unwanted: ReadonlySet<InstanceKey> = new Set(),
): Promise<{ readonly ready: number; readonly drifted: number }> {
  let [ready, drifted] = [0, 0]
  let after: { readonly key: InstanceKey } | undefined
  for (;;) {
    const { instances, more } = await estate.instances(ref, after, pageSize)
    for (const states of instances) {
      const { instance, current } = states
      if (current?.record.status === 'ready' && !unwanted.has(instance)) ready++
      if (isDrifted(states)) drifted++
    }
    if (!more) return { ready, drifted }
    after = { key: instances.at(-1)!.instance }
  }
}

const pageSize = 500
