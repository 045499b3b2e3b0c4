/** The built-in controllers of Kubernetes. They use the API as clients, plus small ports. */
export type { Transport, TransportRequest } from '@hykube/runtime/client'
export {
  type OwnerIndex,
  type OwnershipFeed,
  ownershipChangeFrom,
} from './garbage-collection/ports.ts'
export type { ContentIndex } from './namespace/content.ts'
export { startControllers } from './start-controllers.ts'
