import { type Condition, type KubernetesObject, timeToText, withCondition } from '@hykube/machinery/object'

/** The parts of workloads that their paper status is made from. */
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

/** Fields of a status as they should be; null is for one that should not be there. */
export type StatusFields = Readonly<Record<string, unknown>>

/** What statuses say on paper. */
export interface PaperStatuses {
  /** The resources whose status follows from themselves alone, by `group/resource`; undefined: it stays as it is. */
  readonly byResource: ReadonlyMap<string, (object: Workload, now: number) => StatusFields | undefined>
  readonly deployment: (deployment: Workload, now: number, rollout: RolloutState) => StatusFields
  /** Whether workloads have pods, and not only a status that counts them. */
  readonly pods: boolean
}

export interface RolloutState {
  /** The name of the ReplicaSet with the Deployment's template. */
  readonly current: string
  /** Whether the Deployment's pods are of its template. */
  readonly rolledOut: boolean
}

/** The conditions of a workload with some of them set now. The same list when nothing changed. */
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

/** A count as statuses carry it: zero is left out. */
export function countOf(count: number): number | null {
  return count === 0 ? null : count
}

/** How many replicas a workload wants. */
export function replicasOf({ spec }: Workload): number {
  return spec?.replicas ?? 1
}
