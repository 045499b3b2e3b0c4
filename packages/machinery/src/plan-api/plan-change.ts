export const planActions = [
  'create',
  'update',
  'replace',
  'delete',
  'read',
  'forget',
  'import',
  'blocked',
  'deferred',
] as const

export type PlanAction = (typeof planActions)[number]

/** The order of the two halves of a replacement. */
export type ReplaceOrder = 'delete-first' | 'create-first' | 'forget-first'

/** One item of a Plan's subresource `changes`. */
export interface PlanChange {
  readonly address: string
  readonly namespace: string
  readonly name: string
  /** The index or key of the instance. */
  readonly instance?: number | string
  /** The plural of the kind. */
  readonly resource?: string
  readonly provider?: string
  readonly type: string
  readonly kind?: string
  readonly mode?: 'managed' | 'data'
  readonly action: PlanAction
  readonly order?: ReplaceOrder
  /** Terraform's reason, such as `replace_because_cannot_update`. */
  readonly reason?: string
  /** For `blocked` and `deferred`: the obstacle and the remedy. */
  readonly message?: string
  /** The key of a deposed object. */
  readonly deposed?: string
  readonly importing?: { readonly id?: string; readonly identity?: unknown }
  readonly movedFrom?: string
  readonly change?: ValueChange
  readonly diagnostics?: readonly PlanDiagnostic[]
  readonly outcome?: ChangeOutcome
}

/** Values before and after, in Terraform's plan JSON format; sensitive values are null, with true in the mask. */
export interface ValueChange {
  readonly actions?: readonly string[]
  readonly before?: unknown
  readonly after?: unknown
  readonly after_unknown?: unknown
  readonly before_sensitive?: unknown
  readonly after_sensitive?: unknown
  readonly replace_paths?: readonly (readonly (string | number)[])[]
  readonly changed_sensitive?: readonly ChangedSensitive[]
  readonly importing?: PlanChange['importing']
}

/** A sensitive value that differs, without the values. */
export interface ChangedSensitive {
  readonly path: readonly (string | number)[]
  readonly action: 'create' | 'update' | 'delete'
}

/** An error or warning of a provider or of planning. */
export interface PlanDiagnostic {
  readonly severity: 'error' | 'warning'
  readonly summary: string
  readonly detail?: string
  /** The path of the field, such as `spec.rules[0].days`. */
  readonly field?: string
}

/** The result of a change after an apply. */
export interface ChangeOutcome {
  /** `refused`: an input changed after planning. `skipped`: a change it depends on failed. */
  readonly result: 'applied' | 'failed' | 'refused' | 'skipped' | 'unknown'
  readonly message?: string
  readonly at: string
  readonly diagnostics?: readonly PlanDiagnostic[]
}

/** A page of a Plan's changes. */
export interface PlanChangeList {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly continue?: string }
  readonly items: readonly PlanChange[]
}
