/** Takes Plan objects through their phases: joins planner, applier, estate and providers. */
export { configurationRules } from './admission/configuration-rules.ts'
export { holdingRules } from './admission/holding-rules.ts'
export { importRules } from './admission/import-rules.ts'
export { leavingRules } from './admission/leaving-rules.ts'
export { movingRules } from './admission/moving-rules.ts'
export { authorAnnotation } from './admission/plan-author.ts'
export { planRules } from './admission/plan-rules.ts'
export { providerResolution } from './admission/provider-resolution.ts'
export { repetitionRules } from './admission/repetition-rules.ts'
export { resourceRules } from './admission/resource-rules.ts'
export { stubGuard } from './admission/stub-guard.ts'
export { useRules } from './admission/use-rules.ts'
export { type Adoption, adoptState } from './adopt/adopt-state.ts'
export { importClaims } from './adopt/import-claims.ts'
export { stateDocument } from './adopt/state-document.ts'
export { type StateImport, stateImportFrom } from './adopt/state-import.ts'
export { changePage, changeTable } from './change-page.ts'
export { tellEndedProcesses } from './ended-processes.ts'
export { Engine } from './engine.ts'
export type { EngineParts, JournalStep } from './engine-parts.ts'
export { EstateReader } from './estate-reader.ts'
export { expirePlans } from './expire-plans.ts'
export { instancePage } from './instance-page.ts'
export { ServedKinds } from './kind-catalogue.ts'
export { planJson } from './plan-json/plan-json.ts'
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
export { ProviderRuntime } from './provider-runtime.ts'
export { providerSource } from './provider-source.ts'
export { ProviderUse } from './provider-use.ts'
export type { EngineProviders } from './providers.ts'
export { recoverLeftOpen } from './recover-plan.ts'
export { type Resolution, resolveCall } from './resolve.ts'
export { ServedProviders } from './served-providers.ts'
