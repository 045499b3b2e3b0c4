import type { DeferredReason, PlanResourceChangeRequest } from '@hykube/tfplugin/protocol'
import type { Path, Value } from '@hykube/tfplugin/value'
import type { Action, ActionReason } from './action.ts'
import type { Failure, Findings } from './findings.ts'

/** What became of planning one instance. */
export type PlannedInstance = PlannedChange | DeferredChange | Failure

/** A change that can be approved. Its diagnostics are warnings. */
export interface PlannedChange extends Findings {
  readonly kind: 'planned'
  readonly action: Action
  /** Null when there is no object yet. */
  readonly before: Value
  /** With unknowns where the provider could not say; null when the object goes. */
  readonly after: Value
  /** What the provider wants to have when the change is applied. */
  readonly plannedPrivate: Uint8Array
  /** What can't be changed in place, of an object that is replaced. */
  readonly requiredReplace: readonly Path[]
  readonly reason?: ActionReason
  readonly beforeIdentity?: Value
  readonly afterIdentity?: Value
  /** What is sensitive because of where its value came from. */
  readonly beforeSensitive: readonly Path[]
  readonly afterSensitive: readonly Path[]
  /** Of an object that is taken over with this change. */
  readonly importing?: Importing
}

/** By what an object in the outside world was found. */
export type Importing =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'identity'; readonly identity: Value }

/** The provider can't plan this yet. */
export interface DeferredChange extends Findings {
  readonly kind: 'deferred'
  readonly reason: DeferredReason
  readonly before: Value
  /** What it could say already. */
  readonly after: Value
}

/** A replacement whose new object is still to be planned, by one more call. */
export interface ReplacementToPlan extends Findings {
  readonly kind: 'replacement'
  /** Plans the new object, as if there had been none. */
  readonly request: PlanResourceChangeRequest
  readonly requiredReplace: readonly Path[]
  readonly reason: ActionReason
}

/** No private bytes. */
export const noPrivate: Uint8Array = new Uint8Array(0)
