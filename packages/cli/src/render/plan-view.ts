/** What happens to one resource. */
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

/** One change of a plan, as the API tells it. */
export interface PlanChange {
  readonly address: string
  readonly name: string
  readonly namespace?: string
  readonly type: string
  readonly kind?: string
  readonly mode?: 'managed' | 'data'
  readonly action: ChangeAction
  readonly order?: 'delete-first' | 'create-first' | 'forget-first'
  /** Why, in Terraform's words, as `replace_because_cannot_update`. */
  readonly reason?: string
  readonly message?: string
  readonly deposed?: string
  readonly importing?: { readonly id?: string; readonly identity?: unknown }
  readonly movedFrom?: string
  readonly change?: ValueChange
  readonly diagnostics?: readonly PlanDiagnostic[]
  readonly outcome?: ChangeOutcome
}

/** Values before and after, as Terraform's plan JSON has them; sensitive ones are null with true in the mask. */
export interface ValueChange {
  readonly before?: unknown
  readonly after?: unknown
  readonly after_unknown?: unknown
  readonly before_sensitive?: unknown
  readonly after_sensitive?: unknown
  readonly replace_paths?: readonly (readonly (string | number)[])[]
  /** Sensitive values that differ. */
  readonly changed_sensitive?: readonly ChangedSensitive[]
}

/** Something that was found while planning or applying. */
export interface PlanDiagnostic {
  readonly severity: 'error' | 'warning'
  readonly summary: string
  readonly detail?: string
  readonly field?: string
  readonly address?: string
}

/** How a change came out. */
export interface ChangeOutcome {
  readonly result: 'applied' | 'failed' | 'refused' | 'skipped' | 'unknown'
  readonly message?: string
  readonly at?: string
  readonly diagnostics?: readonly PlanDiagnostic[]
}

/** How many changes of each kind a plan has. */
export type PlanSummary = { readonly [A in ChangeAction]?: number } & {
  readonly noop?: number
  /** How many of `replace` forget the old object instead of destroying it. */
  readonly kept?: number
  /** How many of `read` ran while planning. */
  readonly readWhilePlanning?: number
}

/** A sensitive value that differs: where, and how, but not from what to what. */
export interface ChangedSensitive {
  readonly path: readonly (string | number)[]
  readonly action: 'create' | 'update' | 'delete'
}
