import type { DeferredReason, PlanResourceChangeRequest } from '@hykube/tfplugin/protocol'
import type { Path, Value } from '@hykube/tfplugin/value'
import type { Action, ActionReason } from '../action.ts'
import type { Failure, Findings } from './findings.ts'

/** The result of planning one instance. */
export type PlannedInstance = PlannedChange | DeferredChange | Failure

/** A change that can be approved. Its diagnostics are warnings. */
export interface PlannedChange extends Findings {
  readonly kind: 'planned'
  readonly action: Action
  /** Null when the resource doesn't exist yet. */
  readonly before: Value
  /** May have unknown values; null when the resource is deleted. */
  readonly after: Value
  /** The provider's private data, to be sent with the apply call. */
  readonly plannedPrivate: Uint8Array
  /** The attributes that force the replacement. */
  readonly requiredReplace: readonly Path[]
  readonly reason?: ActionReason
  readonly beforeIdentity?: Value
  readonly afterIdentity?: Value
  /** Paths that are sensitive because of the source of their value. */
  readonly beforeSensitive: readonly Path[]
  readonly afterSensitive: readonly Path[]
  /** Set when the change imports the resource. */
  readonly importing?: Importing
  /** The provider planned in the legacy type system, which does not tell null from the zero value of a type. */
  readonly legacy?: true
}

/** The id or identity of a resource to import. */
export type Importing =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'identity'; readonly identity: Value }

/** The provider can't plan the change yet. */
export interface DeferredChange extends Findings {
  readonly kind: 'deferred'
  readonly reason: DeferredReason
  readonly before: Value
  /** The provider's preliminary plan. */
  readonly after: Value
}

/** A replacement whose new resource still has to be planned with a second call. */
export interface ReplacementToPlan extends Findings {
  readonly kind: 'replacement'
  /** The request for the new resource, without a prior state. */
  readonly request: PlanResourceChangeRequest
  readonly requiredReplace: readonly Path[]
  readonly reason: ActionReason
}

/** Empty private data. */
export const noPrivate: Uint8Array = new Uint8Array(0)
