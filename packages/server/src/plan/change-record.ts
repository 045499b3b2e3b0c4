import type { PlannedBatch } from './batch-settlement.ts'
import type { ChangedSensitive } from './rules/changed-sensitive.ts'
import type { Json } from './rules/json-form.ts'

/** What a plan says of one instance. It is kept encrypted; what people may see of it is in `shown`. */
export interface ChangeRecord {
  readonly address: string
  readonly provider: string
  /** The provider's own name for the type. */
  readonly type: string
  readonly kind: string
  readonly data: boolean
  readonly action: ChangeAction
  /** For `replace`: which half comes first. */
  readonly order?: ReplaceOrder
  /** Why, in Terraform's words, as `replace_because_cannot_update`. */
  readonly reason?: string
  /** For `blocked` and `deferred`: what is in the way, and what to do. */
  readonly message?: string
  readonly importing?: { readonly id: string } | { readonly identity: Json }
  readonly movedFrom?: string
  readonly shown?: ShownChange
  readonly work?: WorkOrder
  readonly diagnostics?: readonly ShownDiagnostic[]
  /** Of a replacement: which half is done. */
  readonly half?: 'made' | 'destroyed'
  /** How it came out, once it was applied or could not be. */
  readonly outcome?: ChangeOutcome
}

export type ChangeAction =
  | 'create'
  | 'update'
  | 'replace'
  | 'delete'
  | 'read'
  | 'forget'
  | 'import'
  | 'blocked'
  | 'deferred'

export type ReplaceOrder = 'delete-first' | 'create-first' | 'forget-first'

/** A change as Terraform's plan JSON has it, sensitive values null. */
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

/** What applying needs to know, and what must not have moved until then. */
export interface WorkOrder {
  /** The object that the change was computed from. */
  readonly uid: string
  readonly generation: number
  /** Which record the change started from, and its revision; absent when there was none. */
  readonly priorSlot?: 'current' | 'observed'
  readonly stateRevision?: number
  /** What was seen outside is taken as it is, and nothing outside changes. */
  readonly accepts?: true
  /** For an object that was left behind: its key. */
  readonly deposed?: string
  /** The planned object with what is unknown in it, and the provider's private bytes; in base64. */
  readonly planned?: string
  readonly plannedPrivate?: string
  /** The planned identity, where the provider planned one; in base64. */
  readonly plannedIdentity?: string
  /** What is sensitive because of where it came from. */
  readonly beforeSensitive: readonly (readonly (string | number)[])[]
  readonly afterSensitive: readonly (readonly (string | number)[])[]
  /** Every value that was looked up, by the text of its reference: its hash, or null while it was not known. */
  readonly inputs: readonly (readonly [text: string, hash: string | null])[]
  /** What the configuration was made of; the same again when it is applied need not be validated again. */
  readonly fingerprint?: string
  /** What it refers to now, and what it was made from, as nodes. */
  readonly refersTo: readonly string[]
  readonly madeFrom: readonly string[]
  readonly configuration: string
  readonly package: string
  readonly epoch: string
  /** Of one of many instances: how many the object shall have. */
  readonly instances?: number
  /** Of one of many instances: what all of them are settled with once the plan was applied. */
  readonly batch?: PlannedBatch
}

export interface ShownDiagnostic {
  readonly severity: 'error' | 'warning'
  readonly summary: string
  readonly detail?: string
  /** The path of the field, as `spec.rules[0].days`. */
  readonly field?: string
}

export interface ChangeOutcome {
  /** `refused`: an input moved since the plan was made. `skipped`: something it waits for failed. */
  readonly result: 'applied' | 'failed' | 'refused' | 'skipped' | 'unknown'
  readonly message?: string
  readonly at: string
  readonly diagnostics?: readonly ShownDiagnostic[]
}
