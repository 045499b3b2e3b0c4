// The data that applying hands to the ledger: an intent before a provider call, an outcome after it.

import type { ChangeOutcome } from '@hykube/machinery/plan-api'
import type { ChangedInstance, ChangeRecord } from './change-record.ts'
import type { InstanceStates, ResourceObject } from './resource-object.ts'
import type { StateFacts, StateRecord } from './state-record.ts'

/** One change of a plan that is being applied. */
export interface ChangeInProgress {
  readonly target: ChangedInstance
  readonly record: ChangeRecord
}

/** A change that isn't applied because a precondition no longer holds. */
export interface Refusal {
  readonly kind: 'refused'
  readonly message: string
}

/** A step of a change that is about to begin, with every precondition to check in the commit that records it. */
export interface IntentDraft {
  readonly change: ChangeInProgress
  readonly step: 'create' | 'update' | 'delete'
  /** The object that the step was computed from; undefined for an orphan, whose object was removed by force. */
  readonly object: ResourceObject | undefined
  /** The states that the step was computed from; the commit fails if one of them changed. */
  readonly states: InstanceStates | undefined
  /** Makes the current resource deposed under this key, in the same commit. */
  readonly depose?: string
  /** The provider call; absent when the step needs none. */
  readonly call?: IntentCall
}

/** Everything that recovery needs to repeat a call or to find out its outcome. */
export interface IntentCall {
  readonly process: ProcessFacts
  /** True when a repeated call creates no second resource. */
  readonly repeatable: boolean
  /** Absent when it can be rebuilt from the change record: a create that was planned without unknown values. */
  readonly request?: SentRequest
  /** The fields of the state record that don't depend on the outcome. */
  readonly facts: StateFacts
}

/** The parts of a request, in msgpack. The configuration is left out: it may hold write-only values, and can be evaluated again. */
export interface SentRequest {
  readonly prior: Uint8Array
  readonly planned: Uint8Array
  readonly plannedPrivate: Uint8Array
  /** Set if the provider planned an identity. */
  readonly plannedIdentity?: Uint8Array
}

/** A recorded intent. The caller hands it back to the ledger with the outcome. */
export interface BegunIntent {
  readonly kind: 'begun'
  readonly draft: IntentDraft
}

/** The result of a step, to be stored in the commit that closes its intent. */
export interface OutcomeDraft {
  readonly outcome: ChangeOutcome
  /** The new state record; undefined when there is no resource. */
  readonly record: StateRecord | undefined
  /** Computes the attributes for the object's status. Not called for instances of a batch, whose status shows counts only. */
  readonly attributes?: () => Readonly<Record<string, unknown>>
  /** Computes which attributes changed. Called only when other objects refer to this one. */
  readonly changed: () => readonly string[]
}

/** Identifies a provider process. The start time distinguishes it from a later process with the same pid. */
export interface ProcessFacts {
  readonly pid: number
  readonly startTime: string
  readonly host: string
}
