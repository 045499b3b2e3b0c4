import { timeToText } from '@hykube/machinery/amounts'
import { type Condition, type KubernetesObject, withCondition } from '@hykube/machinery/object'

/** The status of a provider's object. */
export interface ResourceStatus {
  readonly conditions?: readonly Condition[]
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly observedGeneration?: number
  readonly instances?: { readonly total: number; readonly ready: number }
}

export type ConditionFacts = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>

/** A change of a status: undefined removes a field, an absent field stays. */
export interface StatusChange {
  readonly attributes?: ResourceStatus['attributes'] | undefined
  readonly observedGeneration?: number | undefined
  readonly instances?: ResourceStatus['instances'] | undefined
  readonly conditions: readonly ConditionFacts[]
}

/** Returns an object with a changed status. */
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
