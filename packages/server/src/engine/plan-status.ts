import type { KubernetesObject } from '@hykube/machinery/object'
import type { ShownDiagnostic } from '../plan/index.ts'
import { decodeObject, type ObjectPlace, type ObjectStore } from '../resource/index.ts'
import type { PlanSummary } from './plan-sink.ts'
import { planPlace } from './plan-type.ts'

export type PlanPhase =
  | 'Pending'
  | 'Planning'
  | 'Planned'
  | 'NoChanges'
  | 'Blocked'
  | 'Approved'
  | 'Rejected'
  | 'Applying'
  | 'Applied'
  | 'PartiallyApplied'
  | 'Failed'
  | 'Canceled'
  | 'Stale'
  | 'Expired'

/** How a plan stands. */
export interface PlanStatus {
  readonly phase: PlanPhase
  readonly summary?: PlanSummary
  readonly message?: string
  readonly diagnostics?: readonly ShownDiagnostic[]
  /** When it was made, and the first and the last revision that planning knew. */
  readonly planned?: { readonly at: string; readonly revision: number; readonly through?: number }
  readonly approval?: PlanApproval
  readonly canceled?: { readonly by: string; readonly at: string }
  readonly progress?: PlanProgress
  readonly outcome?: { readonly added: number; readonly changed: number; readonly destroyed: number }
  /** The plan with what this one had put off. */
  readonly followUp?: string
  readonly startedAt?: string
  readonly finishedAt?: string
}

export interface PlanApproval {
  readonly decision: 'Approved' | 'Rejected'
  readonly by: string
  readonly at: string
  readonly message?: string
}

export interface PlanProgress {
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly running: readonly { readonly address: string; readonly action: string; readonly since: string }[]
}

/** Phases in which nothing will happen any more. */
export const finalPhases: ReadonlySet<PlanPhase> = new Set([
  'NoChanges',
  'Blocked',
  'Rejected',
  'Applied',
  'PartiallyApplied',
  'Failed',
  'Canceled',
  'Stale',
  'Expired',
])

export function planStatusOf({ status }: KubernetesObject): PlanStatus {
  return (status ?? { phase: 'Pending' }) as PlanStatus
}

/** A Plan object with its place. */
export interface PlanObject {
  readonly place: ObjectPlace
  readonly object: KubernetesObject
}

/** Reads a Plan. */
export async function readPlan(objects: ObjectStore, place: ObjectPlace): Promise<KubernetesObject | undefined> {
  const stored = await objects.get(planPlace, place)
  return stored === undefined ? undefined : decodeObject(stored.bytes)
}

/**
 * Changes how a plan stands, on what is there now. The change may decline by giving nothing. Gives the new status; undefined
 * when the plan is gone, is another one by now, or the change declined.
 */
export async function changePlanStatus(
  objects: ObjectStore,
  place: ObjectPlace,
  uid: string,
  change: (status: PlanStatus, object: KubernetesObject) => PlanStatus | undefined,
): Promise<PlanStatus | undefined> {
  const changed = await objects.update(planPlace, place, (object) => {
    const status = object.metadata?.uid === uid ? change(planStatusOf(object), object) : undefined
    return status === undefined ? undefined : { ...object, status }
  })
  return changed === undefined ? undefined : planStatusOf(changed)
}
