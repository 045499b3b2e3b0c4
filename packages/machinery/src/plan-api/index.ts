/** The API of Plan objects: types and schema, shared by the server and its clients. */

export {
  type EndedStep,
  finalPhases,
  type PlanPhase,
  type PlanProgress,
  type PlanSpec,
  type PlanStatus,
  type PlanSummary,
  type RunningChange,
  type StepAction,
} from './plan.ts'
export type {
  ChangedSensitive,
  ChangeOutcome,
  PlanAction,
  PlanChange,
  PlanChangeList,
  PlanDiagnostic,
  ReplaceOrder,
  ValueChange,
} from './plan-change.ts'
export { planSpecSchema, planStatusSchema } from './plan-schema.ts'
