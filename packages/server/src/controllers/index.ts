/** The built-in controllers of Kubernetes. They use the API as clients, plus small ports. */
export type { Transport, TransportRequest, TransportResponse } from '@hykube/runtime/client'
export type { AggregatedRules } from './cluster-role-aggregation/reconcile.ts'
export type { GarbageCollectionPorts } from './garbage-collection/controller.ts'
export {
  type Dependent,
  type OwnerIndex,
  type OwnershipChange,
  type OwnershipFeed,
  ownershipChangeFrom,
} from './garbage-collection/ports.ts'
export type { ContentIndex } from './namespace/content.ts'
export type { QuotaPorts } from './resource-quota/ports.ts'
export { type ControllersOptions, type RunningControllers, startControllers } from './start-controllers.ts'
