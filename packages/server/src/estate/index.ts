/**
 * The persisted knowledge of the managed resources: states, edges, marks, changes, journal, and the reader and ledger
 * that planning and applying use.
 */
export { settleBatch } from './batch-claims.ts'
export { Estate } from './estate.ts'
export { configRef, EstateReader, resourceObject } from './estate-reader.ts'
export { keyedHash } from './hash-key.ts'
export { idOf } from './id-holders.ts'
export { asksForSame, importClaims, importedIds } from './import-claims.ts'
export { kindsInUse } from './kinds-in-use.ts'
export { knownAttributes } from './known-attributes.ts'
export { EstateLedger, type RunningPlan } from './ledger.ts'
export { sourceOf } from './object-source.ts'
export { type ConditionFacts, type ResourceStatus, type StatusChange, withStatus } from './object-status.ts'
export { readKey } from './read-key.ts'
export { putBatch } from './records/batches.ts'
export {
  changeKey,
  changeKeyFromText,
  changeKeyToText,
  changeRange,
  type GroupedChange,
  putChange,
  type StoredChange,
} from './records/changes.ts'
export { type Edge, edgeOperations, edgeRange } from './records/edges.ts'
export { closeIntent, type IntentRequest, journalKey, journalRangeOf, type StoredIntent } from './records/journal.ts'
export { type MarkKind, markKey, putMark, type StoredMark } from './records/marks.ts'
export { dropChanges } from './records/outcomes.ts'
export { recordToBytes } from './records/record-codec.ts'
export { resolvedProvidersAnnotation, resolvedProvidersOf } from './records/resolved-providers.ts'
export { putReview } from './records/reviews.ts'
export { changeSpace, estateSpaces } from './records/spaces.ts'
export { putState, type Slot, type StoredState, stateKey, stateRange } from './records/state.ts'
export { putUses } from './records/uses.ts'
export { destroyedConditions, shownAttributes, wasDestroyed, withoutManaged } from './settled-object.ts'
export { estateIndex, importAnnotation, syncModeOf } from './write-index.ts'
