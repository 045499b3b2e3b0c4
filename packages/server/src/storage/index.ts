/** The ledger: what was written, in one order, kept safely. It knows keys, revisions and bytes, and no objects. */
export type {
  Change,
  ChangeBatch,
  ChangesOptions,
  CommitOutcome,
  Committed,
  Condition,
  DeleteOperation,
  DeleteRangeOperation,
  Entry,
  Expectation,
  Group,
  JoinedPage,
  Operation,
  Page,
  PutOperation,
  Range,
  ReadOptions,
  Refused,
  Revision,
  ScanOptions,
  Space,
  Statistics,
  Store,
  Tag,
} from './contract.ts'
export { defaultPageLimit, maximumKeyBytes, maximumValueBytes } from './contract.ts'
export type { Sealer } from './encryption/sealer.ts'
export type { Key } from './key.ts'
export { compareKeys, decodeKey, encodeKey, keyRangeEnd } from './key.ts'
export { openMemoryStore } from './memory/memory-store.ts'
export type { OpenOptions } from './open-options.ts'
export { StorageError, type StorageFailure } from './storage-error.ts'
