/** The life of a Plan object: its API, phases, approval, expiry, progress, status of resources, recovery after restart. */
export { instancePage } from './api/instance-page.ts'
export {
  authorOf,
  digestAnnotation,
  policyUidAnnotation,
  rateAnnotation,
  withAuthor,
  withAuthorOf,
  withoutAuthor,
} from './api/plan-author.ts'
export { planRules } from './api/plan-rules.ts'
export { changePlanStatus, planStatusOf } from './api/plan-status.ts'
export { planResource, planType } from './api/plan-type.ts'
export { reportEndedProcesses } from './applying/ended-processes.ts'
export { recoverOpenCalls } from './applying/recover-plan.ts'
export { Engine } from './engine.ts'
export type { EngineParts, JournalStep } from './engine-parts.ts'
export { expirePlans } from './expire-plans.ts'
export { planEndpoints } from './plan-endpoints.ts'
export { checkDrift, type DriftFound } from './planning/check-drift.ts'
export { draftPlan, dropDraft, storeDraft } from './planning/draft-plan.ts'
export { recordEvents } from './status/events.ts'
export type { WrittenDrift } from './status/write-drift.ts'
export { unknownStatus } from './status/write-unknown-status.ts'
