import { timeToText } from '@hykube/machinery/amounts'
import { findCondition, hasCondition, type KubernetesObject, withCondition } from '@hykube/machinery/object'
import { appliedGeneration, conditionsOf, pendingDeletion } from './conditions.ts'

/** Sets `Applied` of an object that is marked for deletion to False until a plan has destroyed its resource. */
export function withPendingDeletion(object: KubernetesObject, now: number): KubernetesObject {
  const conditions = conditionsOf(object)
  if (!hasCondition(conditions, 'Applied')) return object
  return withConditions(object, withCondition(conditions, pendingDeletion(timeToText(now))))
}

/** Sets `Applied` to True again for an object whose deletion was taken back. */
export function withoutPendingDeletion(object: KubernetesObject, now: number): KubernetesObject {
  const conditions = conditionsOf(object)
  const { message } = pendingDeletion('')
  if (findCondition(conditions, 'Applied')?.message !== message) return object
  return withConditions(object, withCondition(conditions, appliedGeneration(timeToText(now))))
}

function withConditions(object: KubernetesObject, conditions: unknown): KubernetesObject {
  return { ...object, status: { ...(object.status as object | undefined), conditions } }
}
