/** One observation of an object's state, in the form that Kubernetes' kinds share. */
export interface Condition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly observedGeneration?: number
  /** When `status` last changed, as RFC 3339 text with seconds. */
  readonly lastTransitionTime: string
  readonly reason: string
  readonly message: string
}

/** The condition of a type; undefined when there is none. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type)
}

/** Whether the condition of a type is there and has the status. */
export function hasCondition(
  conditions: readonly Condition[] | undefined,
  type: string,
  status: Condition['status'] = 'True',
): boolean {
  return findCondition(conditions, type)?.status === status
}

/**
 * The conditions with one of them set. Its transition time is the given one when its status is new or changed, and stays
 * otherwise. The same list comes back when nothing changed, so that a writer can tell.
 */
export function withCondition(conditions: readonly Condition[] | undefined, set: Condition): readonly Condition[] {
  const before = conditions ?? []
  const index = before.findIndex((condition) => condition.type === set.type)
  const current = before[index]
  if (current === undefined) return [...before, set]
  const lastTransitionTime = current.status === set.status ? current.lastTransitionTime : set.lastTransitionTime
  const next = { ...current, ...set, lastTransitionTime }
  return isSame(current, next) ? before : before.with(index, next)
}

/** The conditions without the one of a type; the same list when it was not there. */
export function withoutCondition(conditions: readonly Condition[] | undefined, type: string): readonly Condition[] {
  if (findCondition(conditions, type) === undefined) return conditions ?? []
  return conditions!.filter((condition) => condition.type !== type)
}

function isSame(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.observedGeneration === b.observedGeneration
  )
}
