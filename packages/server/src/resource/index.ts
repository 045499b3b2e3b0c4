/** Objects over storage: how they are keyed, encoded, changed, indexed by owner and watched. It knows no kinds. */
export { decodeObject, type EncodedObject, encodeObject } from './object-codec.ts'
export { type ObjectPlace, objectFromKey, objectKey, objectRange, type ResourcePlace } from './object-key.ts'
export {
  type ChangeOutcome,
  type ObjectChange,
  type ObjectIndex,
  ObjectStore,
  type SeenObject,
  type StoredObject,
} from './object-store.ts'
export type { ObservedChange } from './observed-change.ts'
export { dependentFromKey, dependentsRange, ownerFromKey, ownersRange } from './owner-index.ts'
export { resourceSpaces } from './spaces.ts'
export { failureFromStorage } from './storage-failure.ts'
export { TypeRegistry } from './type-registry.ts'
export { type Subscription, type WatchBatch, WatchHub } from './watch-hub.ts'
