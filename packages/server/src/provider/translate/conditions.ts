import type { Condition, KubernetesObject } from '@hykube/machinery/object'

/**
 * The conditions of a new object:
 * - `Ready`: the real resource exists as it was last applied; False/NotApplied before the first apply.
 * - `Applied`: the current generation was applied; False/NotApplied first, False/Pending after an edit or a
 *   deletion.
 * - `Drifted`: the real resource differs from the applied one; Unknown/NeverRefreshed before the first refresh.
 * - `Stalled`: progress needs a user's decision; otherwise False/Progressing.
 */
export function initialConditions(since: string): readonly Condition[] {
  const condition = conditionsSince(since)
  return [
    condition('Ready', 'False', 'NotApplied', 'nothing was applied yet; create a Plan and apply it'),
    condition('Applied', 'False', 'NotApplied', 'this generation was not applied yet'),
    condition('Drifted', 'Unknown', 'NeverRefreshed', 'the real resource was not read yet'),
    condition('Stalled', 'False', 'Progressing', ''),
  ]
}

/** The condition `Applied` of an object whose spec was edited. */
export function pendingEdit(since: string): Condition {
  const condition = conditionsSince(since)
  return condition('Applied', 'False', 'Pending', 'this generation was not applied yet; create a Plan and apply it')
}

/** The condition `Applied` of an object that is marked for deletion. */
export function pendingDeletion(since: string): Condition {
  const condition = conditionsSince(since)
  return condition('Applied', 'False', 'Pending', 'the deletion was not applied yet; create a Plan and apply it')
}

/** The condition `Applied` of an object whose current generation was applied. */
export function appliedGeneration(since: string): Condition {
  return conditionsSince(since)('Applied', 'True', 'Applied', 'this generation was applied')
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
