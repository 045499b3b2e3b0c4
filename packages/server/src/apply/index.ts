/** The hands: carries out a plan in order, at once where it can, and survives a crash in the middle. */

export { adoptableId } from './candidates.ts'
export { applyDestroy } from './destroy.ts'
export { type ExecutionOptions, execute, type StepResult } from './executor.ts'
export { outputsNow } from './inputs-now.ts'
export { applyMake } from './make.ts'
export { OperationGraph, type OrderedChange } from './operation-graph.ts'
export type {
  ApplyPorts,
  BegunIntent,
  ChangeInHand,
  IntentCall,
  IntentDraft,
  Ledger,
  OutcomeDraft,
  Refusal,
  SentRequest,
} from './ports.ts'
export { approvedRequest } from './records.ts'
export { type OpenCall, recoverCall } from './recover.ts'
export type { StepOutcome } from './step-outcome.ts'
