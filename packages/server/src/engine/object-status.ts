import { type Condition, type KubernetesObject, timeToText, withCondition } from '@hykube/machinery/object'

/** The status of an object of a provider's kind, as the engine writes it. */
export interface ResourceStatus {
  readonly conditions?: readonly Condition[]
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly observedGeneration?: number
  readonly instances?: { readonly total: number; readonly ready: number }
}

export type ConditionFacts = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>

/** What of a status changes: what is undefined goes, what is absent stays. */
export interface StatusChange {
  readonly attributes?: ResourceStatus['attributes'] | undefined
  readonly observedGeneration?: number | undefined
  readonly instances?: ResourceStatus['instances'] | undefined
  readonly conditions: readonly ConditionFacts[]
}

/** An object with another status. */
export function withStatus(object: KubernetesObject, set: StatusChange, now: number): KubernetesObject {
  const before = (object.status ?? {}) as ResourceStatus
  const { conditions: facts, ...rest } = set
  const lastTransitionTime = timeToText(now)
  const conditions = facts.reduce<readonly Condition[] | undefined>(
    (all, each) => withCondition(all, { ...each, lastTransitionTime }),
    before.conditions,
  )
  const entries = Object.entries({ ...before, ...rest, conditions })
  return { ...object, status: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) }
}
