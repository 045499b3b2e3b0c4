/** The hands: carries out a plan in order, at once where it can, and survives a crash in the middle. */
export { type ExecutionOptions, execute, type StepResult } from './executor.ts'
export { OperationGraph, type OrderedChange } from './operation-graph.ts'
