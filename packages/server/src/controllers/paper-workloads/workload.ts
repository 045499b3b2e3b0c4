import { timeToText } from '@hykube/machinery/amounts'
import { type Condition, type KubernetesObject, withCondition } from '@hykube/machinery/object'

/** The parts of workloads that simulated statuses depend on. */
export interface Workload extends KubernetesObject {
  readonly spec?: WorkloadSpec
  readonly status?: Readonly<Record<string, unknown>> & { readonly conditions?: readonly Condition[] }
}

export interface WorkloadSpec {
  readonly replicas?: number | null
  readonly paused?: boolean
  readonly template?: unknown
  readonly selector?: unknown
  readonly podManagementPolicy?: string
  readonly revisionHistoryLimit?: number | null
  readonly completions?: number | null
  readonly parallelism?: number | null
  readonly suspend?: boolean | null
  readonly managedBy?: string | null
  readonly restartPolicy?: string
  readonly containers?: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly accessModes?: readonly string[]
  readonly resources?: { readonly requests?: unknown }
  readonly type?: string
}

export interface Container {
  readonly name: string
  readonly image?: string
  readonly restartPolicy?: string
}

/** Status fields to set; null removes a field. */
export type StatusFields = Readonly<Record<string, unknown>>

/** Simulated statuses of all workloads. */
export interface PaperStatuses {
  /** Statuses that depend on the object alone, by `group/resource`; a function returns undefined for no change. */
  readonly byResource: ReadonlyMap<string, (object: Workload, now: number) => StatusFields | undefined>
  readonly deployment: (deployment: Workload, now: number, rollout: RolloutState) => StatusFields
  /** True when pods are created, and not only counted in the status. */
  readonly pods: boolean
}

export interface RolloutState {
  /** Name of the ReplicaSet with the Deployment's template. */
  readonly current: string
  /** True when the Deployment's pods have its template. */
  readonly rolledOut: boolean
}

/** Returns a workload's conditions with some of them set. The same list when nothing changed. */
export function conditionsWith(
  { status }: Workload,
  now: number,
  ...set: readonly (Omit<Condition, 'lastTransitionTime'> & { readonly [more: string]: unknown })[]
): readonly Condition[] {
  const lastTransitionTime = timeToText(now)
  return set.reduce<readonly Condition[]>(
    (conditions, each) => withCondition(conditions, { ...each, lastTransitionTime }),
    status?.conditions ?? [],
  )
}

/** Converts a count for a status, where zero is omitted. */
export function countOf(count: number): number | null {
  return count === 0 ? null : count
}

/** Returns the requested number of replicas. */
export function replicasOf({ spec }: Workload): number {
  return spec?.replicas ?? 1
}
