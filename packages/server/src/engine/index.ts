/** Takes Plan objects through their phases: joins planner, applier, estate and providers. */
export { Engine } from './engine.ts'
export type { EngineParts } from './engine-parts.ts'
export { EstateReader } from './estate-reader.ts'
export { ServedKinds } from './kind-catalogue.ts'
export { type PlanSpec, planSpecOf } from './plan-spec.ts'
export {
  changePlanStatus,
  finalPhases,
  type PlanApproval,
  type PlanPhase,
  type PlanStatus,
  planStatusOf,
  readPlan,
} from './plan-status.ts'
export { planPlace, planType } from './plan-type.ts'
export type { EngineProviders } from './providers.ts'
