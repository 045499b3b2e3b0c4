/** Objects over storage: keys, encoding, changes, indexes and watches. Independent of kinds. */

export { changeFeed } from './change-feed.ts'
export { type Claims, claimedValue, claimIndex, claimKey, claimRange } from './claim-index.ts'
export { NamespaceIndex } from './namespace-index.ts'
export { decodeObject } from './object-codec.ts'
export type { ObjectIndex } from './object-index.ts'
export {
  groupRange,
  type ObjectLocation,
  objectFromKey,
  objectKey,
  objectRange,
  type ResourceLocation,
} from './object-key.ts'
export { type ObjectChange, ObjectStore, type SeenObject, type StoredObject } from './object-store.ts'
export type { ObservedBatch } from './observed-batch.ts'
export type { ObservedChange } from './observed-change.ts'
export { dependentFromKey, dependentsRange, ownerFromKey, ownersRange } from './owner-index.ts'
export { resourceSpaces } from './spaces.ts'
export { TypeRegistry } from './type-registry.ts'
export { type Subscription, WatchHub } from './watch-hub.ts'
