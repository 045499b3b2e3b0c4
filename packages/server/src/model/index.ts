/**
 * The data that planning, applying and storing share: references to objects, instance keys, state records, change
 * records, intents, and the graph of dependencies. Types and parsers, no behaviour.
 */
export { addressOf } from './address-of.ts'
export { adoptableId } from './adoptable-id.ts'
export type { BatchSettlement, KnownBatch, PlannedBatch } from './batch-settlement.ts'
export {
  type ChangedInstance,
  type ChangeRecord,
  deposedKeyOf,
  type ShownChange,
  type WorkOrder,
} from './change-record.ts'
export { indexesOnCycles } from './cycles.ts'
export { DependencyGraph } from './dependency-graph.ts'
export { compareInstances, type InstanceKey, instanceToText } from './instance-key.ts'
export { defaultLifecycle, type IgnoredChanges, type InstanceState, type Lifecycle } from './instance-state.ts'
export type {
  BegunIntent,
  ChangeInProgress,
  IntentCall,
  IntentDraft,
  OutcomeDraft,
  ProcessFacts,
  Refusal,
  SentRequest,
} from './intent.ts'
export { openCallText } from './open-call-text.ts'
export {
  hasRealResource,
  type InstanceStates,
  isDrifted,
  type KindCatalogue,
  type KnownState,
  type ResolvedProviders,
  type ResourceKind,
  type ResourceObject,
  type WantedKind,
} from './resource-object.ts'
export { type ResourceRef, refFromText, refToText } from './resource-ref.ts'
export {
  goneRecord,
  hasSettledFacts,
  isGone,
  pathFromJson,
  pathToJson,
  type SettledFacts,
  type StateFacts,
  type StateRecord,
  settledFacts,
  stateToRecord,
  storedInstance,
  withSettledFacts,
} from './state-record.ts'
export type { StoredInstance } from './stored-instance.ts'
