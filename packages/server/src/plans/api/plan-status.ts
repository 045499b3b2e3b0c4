import type { KubernetesObject } from '@hykube/machinery/object'
import type { PlanStatus } from '@hykube/machinery/plan-api'
import { decodeObject, type ObjectLocation, type ObjectStore } from '../../resource/index.ts'
import { planResource } from './plan-type.ts'

export function planStatusOf({ status }: KubernetesObject): PlanStatus {
  return (status ?? { phase: 'Pending' }) as PlanStatus
}

/** A Plan object and its location. */
export interface PlanObject {
  readonly place: ObjectLocation
  readonly object: KubernetesObject
}

/** Reads a Plan. */
export async function readPlan(objects: ObjectStore, place: ObjectLocation): Promise<KubernetesObject | undefined> {
  const stored = await objects.get(planResource, place)
  return stored === undefined ? undefined : decodeObject(stored.bytes)
}

/**
 * Changes the status of a plan, retrying on conflicts. `change` may return undefined to write nothing. Returns the new status; undefined when
 * the plan doesn't exist, has another uid, or nothing was written.
 */
export async function changePlanStatus(
  objects: ObjectStore,
  place: ObjectLocation,
  uid: string,
  change: (status: PlanStatus, object: KubernetesObject) => PlanStatus | undefined,
): Promise<PlanStatus | undefined> {
  const changed = await objects.update(planResource, place, (object) => {
    const status = object.metadata?.uid === uid ? change(planStatusOf(object), object) : undefined
    return status === undefined ? undefined : { ...object, status }
  })
  return changed === undefined ? undefined : planStatusOf(changed)
}
