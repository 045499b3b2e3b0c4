/** Informers: a local cache of a resource, kept current by list and watch, with indexes and event handlers. */
export type { IndexFunction } from './cache.ts'
export { type Followed, type FollowOptions, follow } from './follow.ts'
export { Informer, type InformerEvent, type InformerHandler, type InformerOptions } from './informer.ts'
export { type ObjectRef, refFromKey, refOf, refToKey } from './object-ref.ts'
