import type {
  ChangedInstance,
  ChangeOutcome,
  ChangeRecord,
  InstanceStates,
  NodeFacts,
  NodePlace,
  PlannerPorts,
  ProcessFacts,
  StateFacts,
  StateRecord,
} from '../plan/index.ts'

/** What applying asks for besides what planning does, and where it writes down what it does. */
export interface ApplyPorts extends PlannerPorts {
  readonly ledger: Ledger
  /** Why an object must not be destroyed: something uses it since the plan was made. */
  laterUser(place: NodePlace): Promise<string | undefined>
  /** Whether a call that failed with this error never reached the provider. */
  isUnsent(error: unknown): boolean
  /** Whether the provider is done with a call that failed with this error, so that nothing more comes of it. */
  isOver(error: unknown): boolean
  /** What an error says, without secrets. */
  describe(error: unknown): string
  now(): string
}

/** One change of a plan that is being applied. */
export interface ChangeInHand {
  readonly place: ChangedInstance
  readonly record: ChangeRecord
}

/**
 * Writes down what is about to be done, and then what came of it. What is begun is durable before the provider is asked, and
 * its end before anybody who waits for it begins.
 */
export interface Ledger {
  /** Refuses, and says why, when something that the change leans on has moved. */
  begin(intent: IntentDraft): Promise<BegunIntent | Refusal>
  end(begun: BegunIntent, outcome: OutcomeDraft): Promise<void>
  /** What was begun is asked once more, of another process: durable before it is. */
  again(begun: BegunIntent, process: ProcessFacts): Promise<void>
  /** Notes how a change came out for which nothing was begun. */
  note(change: ChangeInHand, outcome: ChangeOutcome): Promise<void>
}

export interface Refusal {
  readonly kind: 'refused'
  readonly message: string
}

export interface IntentDraft {
  readonly change: ChangeInHand
  readonly step: 'create' | 'update' | 'delete'
  /** The object that was looked at; undefined for what is left of one that was taken away. */
  readonly node: NodeFacts | undefined
  /** What was known of the instance, none of which may have moved. */
  readonly states: InstanceStates | undefined
  /** The current object becomes one that is left behind, under this key. */
  readonly depose?: string
  /** The call; absent when the provider is not asked. */
  readonly call?: IntentCall
}

/** Enough to repeat a call, or to find out later what came of it. */
export interface IntentCall {
  readonly process: ProcessFacts
  /** Whether it may be repeated without making a second object. */
  readonly repeatable: boolean
  /** Absent where it is exactly what the change says, made from nothing. */
  readonly request?: SentRequest
  /** All of the record that is known before the outcome is. */
  readonly facts: StateFacts
}

/** What a provider is sent, in msgpack. The configuration is not among it: it may hold what is only written, and follows from the object. */
export interface SentRequest {
  readonly prior: Uint8Array
  readonly planned: Uint8Array
  readonly plannedPrivate: Uint8Array
  /** Where the provider planned one. */
  readonly plannedIdentity?: Uint8Array
}

/** What was begun. To be handed back when it has ended. */
export interface BegunIntent {
  readonly kind: 'begun'
  readonly draft: IntentDraft
}

export interface OutcomeDraft {
  readonly outcome: ChangeOutcome
  /** The record to keep; undefined when there is no object any more, or none yet. */
  readonly record: StateRecord | undefined
  /** What everybody who may see the object may see of it. Of many instances nobody asks. */
  readonly attributes?: () => Readonly<Record<string, unknown>>
  /** Which attributes differ from before. Asked where somebody refers to the object. */
  readonly changed: () => readonly string[]
}
