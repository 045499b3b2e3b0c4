import { timeToText } from '@hykube/machinery/amounts'
import type { PlanStatus } from '@hykube/machinery/plan-api'
import type { ObjectLocation } from '../resource/index.ts'
import { changePlanStatus } from './api/plan-status.ts'
import type { EngineParts } from './engine-parts.ts'

/**
 * Ends a plan that was made before the store was restored from a backup, because its changes may have been applied since the backup. A plan
 * that was being applied only recovers its open calls; a waiting one becomes Stale.
 */
export async function endRestoredPlan(
  { objects, clock }: EngineParts,
  place: ObjectLocation,
  uid: string,
): Promise<void> {
  const at = timeToText(clock.now())
  await changePlanStatus(objects, place, uid, (status) => {
    if (status.phase === 'Applying') return { ...status, canceled: status.canceled ?? { by: 'hykube restore', at } }
    return isWaiting(status) ? { ...status, phase: 'Stale', finishedAt: at, message } : undefined
  })
}

/** True when a plan may still be applied. */
export function isWaiting({ phase }: PlanStatus): boolean {
  return phase === 'Planned' || phase === 'Approved' || phase === 'Applying'
}

const message =
  'the store was restored from a backup after the plan was made, and real resources may have changed since: plan again'
