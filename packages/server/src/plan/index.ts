/** The thinking: what changes, why and in which order. Deterministic; whatever it must know it asks for through ports. */

export { AuthorizedUses } from './authorized-uses.ts'
export type { BatchSettlement, KnownBatch, PlannedBatch } from './batch-settlement.ts'
export { canonicalText } from './canonical-text.ts'
export { addressOf } from './change-facts.ts'
export type {
  ChangeAction,
  ChangeOutcome,
  ChangeRecord,
  ReplaceOrder,
  ShownChange,
  ShownDiagnostic,
  WorkOrder,
} from './change-record.ts'
export type { ChangedInstance, PlanSink, Settlement } from './context.ts'
export { DependencyGraph, type Edges } from './dependency-graph.ts'
export type {
  InstanceStates,
  KindCatalogue,
  KnownState,
  NodeFacts,
  NodeKind,
  ResolvedProviders,
  WantedKind,
} from './facts.ts'
export { findCycle } from './find-cycle.ts'
export { fingerprintOf } from './fingerprint.ts'
export { hideConfigured, hideSecrets } from './hide-secrets.ts'
export { Inputs, InstanceScope } from './inputs.ts'
export { configurationOf, lifecycleOf } from './lifecycle.ts'
export type { InstanceConfig, NodePlan } from './node-plan.ts'
export {
  changedAttributes,
  type Outputs,
  outputOfRecord,
  outputsOfStates,
  type Repetition,
  repetitionOf,
  shownAttributes,
} from './outputs.ts'
export { isOutside } from './plan-going.ts'
export { makePlan, type PlanSeeds } from './planner.ts'
export type {
  AccessSession,
  ConfiguredTarget,
  PlannerPorts,
  ProcessFacts,
  ProviderAccess,
  ProviderProblem,
} from './ports.ts'
export { managedElsewhere } from './prior.ts'
export { isGoing, isStaying } from './protect-used.ts'
export { shownDiagnostics } from './record-change.ts'
export {
  bareAddress,
  nodesOf,
  type ReferenceTarget,
  type Referring,
  resolveReference,
  resolveReferences,
  usedAttribute,
  wholeObject,
} from './references.ts'
export type { PlanRequest } from './request.ts'
export {
  type Action,
  type ActionReason,
  actionInPlanJson,
  checkPlannedAction,
  destroysObject,
  isReplacement,
  type Replacement,
  triggersReplacement,
} from './rules/action.ts'
export { type ApplyOptions, applyInstance } from './rules/apply-instance.ts'
export { type ApplyAnswer, carryOut } from './rules/carry-out.ts'
export { type ChangeJson, changeToJson } from './rules/change-json.ts'
export { assertObjectCompatible } from './rules/compatibility.ts'
export {
  type DataDecision,
  type DataInput,
  type DataRead,
  dataRequestFor,
  judgeDataRead,
  planDataSource,
  readDataSource,
} from './rules/data-source.ts'
export { withEchoes } from './rules/echo.ts'
export {
  type ApplyInput,
  type ApplyStep,
  type FinalCall,
  type FinalPlan,
  finalPlan,
  finalPlanRequestFor,
  judgeFinalPlan,
  type Settled,
} from './rules/final-plan.ts'
export type { Failure, Findings } from './rules/findings.ts'
export { type IgnoredChanges, ignoreChanges } from './rules/ignore-changes.ts'
export { type ImportedState, importRequestFor, importState, judgeImport } from './rules/import-state.ts'
export {
  defaultLifecycle,
  type InstanceState,
  type Lifecycle,
  type ProviderPort,
  type ResourceInstance,
} from './rules/instance.ts'
export type { Json } from './rules/json-form.ts'
export { judgePlan, judgeReplacement, judgeValidation, type Warnings } from './rules/judge-plan.ts'
export { normaliseBlocks } from './rules/legacy-blocks.ts'
export { judgeMove, type MovedState, type MoveSource, moveRequestFor, moveState } from './rules/move-state.ts'
export { judgeOutcome, type Outcome } from './rules/outcome.ts'
export { type DestroyInput, destroyRequestFor, judgeDestroy, planDestroy } from './rules/plan-destroy.ts'
export { planInstance } from './rules/plan-instance.ts'
export { type PlanInput, planRequestFor, replacementRequestFor, validationRequestFor } from './rules/plan-request.ts'
export { assertPlanValid, type PlanValues } from './rules/plan-validity.ts'
export type {
  DeferredChange,
  Importing,
  PlannedChange,
  PlannedInstance,
  ReplacementToPlan,
} from './rules/planned-instance.ts'
export type { Problem } from './rules/problem.ts'
export { plannedUnknownObject, proposedNew } from './rules/proposed-new.ts'
export { publicAttributes } from './rules/public-attributes.ts'
export {
  type DeferredRead,
  judgeRead,
  type Refreshed,
  type RefreshedState,
  readRequestFor,
  refreshState,
} from './rules/refresh-state.ts'
export { type RequiredReplace, requiredReplace } from './rules/required-replace.ts'
export { sameValues } from './rules/same-values.ts'
export { attributeAt, factsOf } from './rules/schema-facts.ts'
export { scrub, scrubText, sensitiveStrings } from './rules/scrub.ts'
export { type SensitiveTree, sensitiveTree, treeWithin } from './rules/sensitivity.ts'
export type { StoredInstance } from './rules/stored-instance.ts'
export {
  judgeUpgrade,
  type UpgradedState,
  type UpgradeOptions,
  upgradeRequestFor,
  upgradeState,
} from './rules/upgrade-state.ts'
export { writeOnlyLeaks } from './rules/write-only.ts'
export { reachesSensitive, schemaReaches, takesValue, useText } from './sensitive-reach.ts'
export {
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
export { compareInstances, type InstanceKey, instanceToText } from './vocabulary/instance-key.ts'
export { type NodePlace, nodeFromText, nodeToText } from './vocabulary/place.ts'
export { creationOrder, deletionOrder, nodesOnCircles } from './walk-order.ts'
