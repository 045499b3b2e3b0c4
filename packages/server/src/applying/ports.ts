import type { ChangeOutcome } from '@hykube/machinery/plan-api'
import type { PlannerPorts } from '../evaluation/index.ts'
import type {
  BegunIntent,
  ChangeInProgress,
  IntentDraft,
  OutcomeDraft,
  ProcessFacts,
  Refusal,
  ResourceRef,
} from '../model/index.ts'

/** The planner's ports plus what applying needs: the ledger, and the classification of provider errors. */
export interface ApplyPorts extends PlannerPorts {
  readonly ledger: Ledger
  /** Claims objects, as texts of references, so that no other plan destroys them while something is created from them. */
  use(refs: readonly string[]): Promise<Claim | Refusal>
  /** Claims an object that is to be destroyed, so that no other plan creates something from it. Refuses when one has done so since this plan was made. */
  destroy(ref: ResourceRef): Promise<Claim | Refusal>
  /** True when a call that failed with this error never reached the provider. */
  isUnsent(error: unknown): boolean
  /** True when the provider has finished the call that failed with this error, so the call can have no later effect. */
  isFinished(error: unknown): boolean
  /** Returns the message of an error without secrets. */
  describe(error: unknown): string
  now(): string
}

/** A claim on objects. End it after the outcome is stored. */
export interface Claim {
  readonly kind: 'claimed'
  readonly end: () => void
}

/**
 * Records intents and outcomes. An intent is durable before the provider is called, and an outcome before any step that depends on it
 * starts.
 */
export interface Ledger {
  /** Records an intent. Refuses when a precondition of the change no longer holds. */
  begin(intent: IntentDraft): Promise<BegunIntent | Refusal>
  /** Records the outcome and closes the intent. */
  end(begun: BegunIntent, outcome: OutcomeDraft): Promise<void>
  /** Records that the call of an open intent is about to be repeated in another process. */
  retry(begun: BegunIntent, process: ProcessFacts): Promise<void>
  /** Records the outcome of a change without an intent: it failed or was refused before a call. */
  recordOutcome(change: ChangeInProgress, outcome: ChangeOutcome): Promise<void>
}
