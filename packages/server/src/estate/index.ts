/** What is known of the world: state slots, edges, marks, the journal and the changes of plans, over the store. */
export { type BatchRecord, putBatch, type StoredBatch } from './batches.ts'
export {
  type ChangePlace,
  changeKey,
  changeKeyFromText,
  changeKeyToText,
  changeRange,
  putChange,
  type SortedChange,
  type StoredChange,
} from './changes.ts'
export { type Edge, type EdgeSet, edgeKey, edgeOperations, edgeRange } from './edges.ts'
export { Estate } from './estate.ts'
export { keyedHash } from './hash-key.ts'
export {
  closeIntent,
  type Intent,
  type IntentPlace,
  type IntentRequest,
  journalKey,
  journalRangeOf,
  openIntent,
  type StoredIntent,
} from './journal.ts'
export { type Mark, type MarkKind, markKey, putMark, type StoredMark } from './marks.ts'
export { dropChanges, putOutcome, putWholeChange } from './outcomes.ts'
export { recordToBytes } from './record-codec.ts'
export { resolvedProvidersAnnotation, resolvedProvidersOf } from './resolved-providers.ts'
export { putReview } from './reviews.ts'
export { changeSpace, estateSpaces } from './spaces.ts'
export {
  putState,
  type Slot,
  type StatePlace,
  type StoredState,
  stateKey,
  stateRange,
  stateRangeOfKind,
} from './state.ts'
export { putUses } from './uses.ts'
export { estateIndex, importAnnotation, importIdentityAnnotation } from './write-index.ts'
