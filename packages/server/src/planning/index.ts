/** Computes a plan: from marks to objects, from objects to instances, from instances to changes. */
export type { PlanSink, Settlement } from './context.ts'
export type { PlanRequest } from './instances/request.ts'
export { Listings } from './listings.ts'
export { makePlan, type PlanSeeds } from './planner.ts'
export { destroysResource, keepsResource } from './protect-used.ts'
