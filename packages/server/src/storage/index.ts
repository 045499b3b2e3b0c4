/** Ordered, durable key-value storage with revisions. It knows keys, revisions and bytes, and no Kubernetes objects. */
export { type BackupHeader, backupChunks, readBackup } from './backup/backup-file.ts'
export { restoreMarkOf, restoreMarkSpace, withRestoreMark } from './backup/restore-mark.ts'
export { runCompaction } from './compaction-policy.ts'
export type {
  Change,
  CommitOutcome,
  Condition,
  DeleteOperation,
  Entry,
  Group,
  JoinedPage,
  JoinOptions,
  Operation,
  Page,
  PutOperation,
  Range,
  Revision,
  ScanOptions,
  Snapshot,
  Space,
  Statistics,
  Store,
  StoredRow,
  Tag,
} from './contract.ts'
export { maximumSpaceBytes, maximumValueBytes } from './contract.ts'
export { keyRingKey, keyRingRecordOf, keyRingSpace } from './encryption/key-ring-record.ts'
export {
  type MasterKeySource,
  masterKeyFromCommand,
  masterKeyFromFile,
  masterKeyFromText,
  masterKeyInFile,
} from './encryption/master-key-source.ts'
export { RingSealer } from './encryption/ring-sealer.ts'
export type { Sealer } from './encryption/sealer.ts'
export type { Key } from './key.ts'
export { compareKeys, decodeKey, encodeKey, keyRoom } from './key.ts'
export { openMemoryStore } from './memory/memory-store.ts'
export { openPostgresStore, restoredPostgresStore, restorePostgres } from './postgres/lazy.ts'
export { lockDirectory } from './sqlite/file-lock.ts'
export { restoreSqlite } from './sqlite/restore.ts'
export { openSqliteStore, type SqliteStore } from './sqlite/sqlite-store.ts'
export { StorageError, type StorageFailure } from './storage-error.ts'
