import type {
  ChangedSensitive,
  ChangeOutcome,
  PlanAction,
  PlanDiagnostic,
  ReplaceOrder,
} from '@hykube/machinery/plan-api'
import type { PlannedBatch } from './batch-settlement.ts'
import type { InstanceKey } from './instance-key.ts'
import type { ResourceRef } from './resource-ref.ts'

/** A plan's change of one instance. It is stored encrypted; `shown` is the part without sensitive values. */
export interface ChangeRecord {
  readonly address: string
  readonly provider: string
  /** The provider's name for the type, such as `sim_network`. */
  readonly type: string
  readonly kind: string
  readonly data: boolean
  readonly action: PlanAction
  /** For `replace`: whether the new resource is created before or after the old one is destroyed. */
  readonly order?: ReplaceOrder
  /** Terraform's action reason, such as `replace_because_cannot_update`. */
  readonly reason?: string
  /** For `blocked` and `deferred`: the cause and a remedy. */
  readonly message?: string
  readonly importing?: { readonly id: string } | { readonly identity: unknown }
  readonly movedFrom?: string
  readonly shown?: ShownChange
  readonly work?: WorkOrder
  readonly diagnostics?: readonly PlanDiagnostic[]
  /** For a replacement that is half applied: the half that is done. */
  readonly half?: 'made' | 'destroyed'
  /** The outcome, once the change was applied, failed or was refused. */
  readonly outcome?: ChangeOutcome
}

/** A change in the format of Terraform's plan JSON, with null for sensitive values. */
export interface ShownChange {
  readonly before: unknown
  readonly after: unknown
  readonly afterUnknown: unknown
  readonly beforeSensitive: unknown
  readonly afterSensitive: unknown
  readonly replacePaths?: readonly (readonly (string | number)[])[]
  /** Sensitive values that differ, without the values. */
  readonly changedSensitive?: readonly ChangedSensitive[]
}

/** The inputs of applying a change, and the preconditions that must still hold then. */
export interface WorkOrder {
  /** The uid and generation of the object that the change was computed from. */
  readonly uid: string
  readonly generation: number
  /** The state record that the change was computed from, and its revision; absent when there was none. */
  readonly priorSlot?: 'current' | 'observed'
  readonly stateRevision?: number
  /** The change of a refresh-only plan: the observed state becomes the applied one, and no provider is called. */
  readonly accepts?: true
  /** For a deposed resource: its key. */
  readonly deposed?: string
  /** The planned value in msgpack, with unknown values, and the provider's private data; both in base64. */
  readonly planned?: string
  readonly plannedPrivate?: string
  /** The planned identity in msgpack and base64, if the provider planned one. */
  readonly plannedIdentity?: string
  /** Paths that are sensitive because of the source of their value; those that the schema marks are not listed. */
  readonly beforeSensitive: readonly (readonly (string | number)[])[]
  readonly afterSensitive: readonly (readonly (string | number)[])[]
  /** Every referenced value: the reference, and a hash of the value or null while it was unknown. */
  readonly inputs: readonly (readonly [text: string, hash: string | null])[]
  /** The fingerprint of the configuration; with the same one at apply time, the provider needn't validate it again. */
  readonly fingerprint?: string
  /** The objects that the spec refers to now, and those that the existing resource was created from, as texts of references. */
  readonly refersTo: readonly string[]
  readonly madeFrom: readonly string[]
  readonly configuration: string
  readonly package: string
  readonly epoch: string
  /** For an instance of a batch: the desired number of instances. */
  readonly instances?: number
  /** For an instance of a batch: the settlement of the batch after the plan is applied. */
  readonly batch?: PlannedBatch
}

/**
 * Returns the key under which a create-first replacement deposes the old resource, until its second half destroys it. The key is the
 * revision of the planned state record, so that no two replacements of an instance share one; eight hexadecimal digits, like Terraform's.
 */
export function deposedKeyOf({ action, order, work }: ChangeRecord): string | undefined {
  if (action !== 'replace' || order !== 'create-first' || work?.stateRevision === undefined) return undefined
  return work.stateRevision.toString(16).padStart(8, '0')
}

/** The instance that a change is about. */
export interface ChangedInstance {
  readonly ref: ResourceRef
  readonly instance: InstanceKey
  /** `deposed/<key>` for a deposed resource, `object` for a change of the whole object, otherwise empty. */
  readonly part: string
}
