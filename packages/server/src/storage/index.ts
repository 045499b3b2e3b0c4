/** Ordered, durable key-value storage with revisions. It knows keys, revisions and bytes, and no Kubernetes objects. */
export { type BackupHeader, backupChunks, readBackup } from './backup/backup-file.ts'
export { restoreMarkOf, restoreMarkSpace, withRestoreMark } from './backup/restore-mark.ts'
export {
  type CompactionOptions,
  type CompactionPolicy,
  minimumKeptMilliseconds,
  runCompaction,
} from './compaction-policy.ts'
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
  JoinOptions,
  Operation,
  Page,
  PutOperation,
  Range,
  ReadOptions,
  Refused,
  Revision,
  RotateOptions,
  ScanOptions,
  Snapshot,
  Space,
  Statistics,
  Store,
  StoredRow,
  Tag,
} from './contract.ts'
export { defaultPageLimit, maximumKeyBytes, maximumSpaceBytes, maximumValueBytes } from './contract.ts'
export { type KeyRingRecord, keyRingKey, keyRingRecordOf, keyRingSpace } from './encryption/key-ring-record.ts'
export {
  type MasterKeySource,
  masterKeyFromCommand,
  masterKeyFromFile,
  masterKeyFromText,
  masterKeyInFile,
} from './encryption/master-key-source.ts'
export { type RefreshableSealer, RingSealer } from './encryption/ring-sealer.ts'
export type { Sealer } from './encryption/sealer.ts'
export type { Key } from './key.ts'
export { compareKeys, decodeKey, encodeKey, keyRangeEnd, keyRoom } from './key.ts'
export { openMemoryStore } from './memory/memory-store.ts'
export type { OpenOptions } from './open-options.ts'
export { openPostgresStore, restoredPostgresStore, restorePostgres } from './postgres/lazy.ts'
export type { PostgresPlace, PostgresStoreOptions } from './postgres/postgres-options.ts'
export { lockDirectory } from './sqlite/file-lock.ts'
export { restoreSqlite } from './sqlite/restore.ts'
export { openSqliteStore, type SqliteOpenOptions, type SqliteStore } from './sqlite/sqlite-store.ts'
export { StorageError, type StorageFailure } from './storage-error.ts'
