import { timeToText } from '@hykube/machinery/object'
import type { ObjectPlace } from '../resource/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { changePlanStatus, type PlanStatus } from './plan-status.ts'

/**
 * What becomes of a plan that was made before the store was restored: what it would do may have been done since the backup. One that
 * was being applied decides what was begun, and begins nothing; one that waits is stale.
 */
export async function outlive({ objects, clock }: EngineParts, place: ObjectPlace, uid: string): Promise<void> {
  const at = timeToText(clock.now())
  await changePlanStatus(objects, place, uid, (status) => {
    if (status.phase === 'Applying') return { ...status, canceled: status.canceled ?? { by: 'hykube restore', at } }
    return isWaiting(status) ? { ...status, phase: 'Stale', finishedAt: at, message } : undefined
  })
}

/** Whether a plan can still do something that it was made for. */
export function isWaiting({ phase }: PlanStatus): boolean {
  return phase === 'Planned' || phase === 'Approved' || phase === 'Applying'
}

const message = 'the store was restored from a backup after it was made, and the world may have gone on: plan again'
