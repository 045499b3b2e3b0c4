import type { Condition, KubernetesObject } from '@hykube/machinery/object'

/**
 * The conditions of an object from its creation on:
 * - `Ready`: what is there is what was last applied; False/NotApplied until then.
 * - `Applied`: the current generation was applied; False/NotApplied first, False/Pending from an edit on.
 * - `Drifted`: what is there differs from what was applied; Unknown/NeverRefreshed until somebody looked.
 * - `Stalled`: nothing goes on without a person; False/Progressing while that is not so.
 */
export function initialConditions(since: string): readonly Condition[] {
  const condition = conditionsSince(since)
  return [
    condition('Ready', 'False', 'NotApplied', 'nothing was applied yet; create a Plan and apply it'),
    condition('Applied', 'False', 'NotApplied', 'this generation was not applied yet'),
    condition('Drifted', 'Unknown', 'NeverRefreshed', 'nobody has looked at the real resource yet'),
    condition('Stalled', 'False', 'Progressing', ''),
  ]
}

/** The condition `Applied` of an object whose spec was edited. */
export function pendingEdit(since: string): Condition {
  const condition = conditionsSince(since)
  return condition('Applied', 'False', 'Pending', 'this generation was not applied yet; create a Plan and apply it')
}

function conditionsSince(lastTransitionTime: string) {
  return (type: string, status: Condition['status'], reason: string, message: string): Condition => ({
    type,
    status,
    lastTransitionTime,
    reason,
    message,
  })
}

/** The conditions of an object of a provider's kind. */
export function conditionsOf({ status }: KubernetesObject): readonly Condition[] {
  const { conditions } = (status ?? {}) as { readonly conditions?: unknown }
  return Array.isArray(conditions) ? (conditions as readonly Condition[]) : []
}
