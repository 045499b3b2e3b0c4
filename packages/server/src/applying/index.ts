/** Executes the changes of a plan in dependency order, and recovers calls whose answer was lost. */

export { applyCreateOrUpdate } from './create-or-update.ts'
export { applyDestroy } from './destroy.ts'
export { execute } from './executor.ts'
export { OperationGraph, type OrderedChange } from './operation-graph.ts'
export type { ApplyPorts, Claim, Ledger } from './ports.ts'
export { approvedRequest } from './records.ts'
export { type OpenCall, recoverCall } from './recover.ts'
export { knownRefusal } from './staleness.ts'
export { refuse, type StepOutcome } from './step-outcome.ts'
