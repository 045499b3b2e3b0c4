/** One observation of an object's state: Kubernetes' meta/v1 Condition. */
export interface Condition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly observedGeneration?: number
  /** The time of the last change of `status`, as RFC 3339 text with seconds. */
  readonly lastTransitionTime: string
  readonly reason: string
  readonly message: string
}

/** Returns the condition of a type; undefined when there is none. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type)
}

/** Returns true when the condition of a type is present with the given status. */
export function hasCondition(
  conditions: readonly Condition[] | undefined,
  type: string,
  status: Condition['status'] = 'True',
): boolean {
  return findCondition(conditions, type)?.status === status
}

/**
 * Returns the conditions with one of them set. The transition time is taken from `set` when the condition is new or its
 * status changed, and kept otherwise. Returns the same list when nothing changed, so that the caller can skip the write.
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

/** Returns the conditions without the one of a type, or the same list when it is absent. */
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
