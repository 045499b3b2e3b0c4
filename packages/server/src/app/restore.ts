import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import {
  type BackupHeader,
  keyRingKey,
  RingSealer,
  readBackup,
  restoredPostgresStore,
  restorePostgres,
  restoreSqlite,
  type Snapshot,
  StorageError,
  type StoredRow,
  withRestoreMark,
} from '../storage/index.ts'
import { isShared, masterKeyOf, sqliteFileOf } from './open-store.ts'
import { completeServeOptions, type ServeOptions } from './serve-options.ts'

/** The target of a restore, with the options of `serve`. */
export type RestoreOptions = Pick<
  ServeOptions,
  'dataDirectory' | 'store' | 'masterKeyFile' | 'masterKeyCommand' | 'version'
>

/** The result of a restore. */
export interface Restored {
  readonly header: BackupHeader
  /** The revision from which the store continues. */
  readonly revision: number
  readonly rows: number
  readonly dataDirectory: string
}

/** Creates a store from a backup file or stream. Fails when a store exists, and leaves nothing behind when the backup is damaged or encrypted with another key. */
export async function restoreBackup(
  from: string | AsyncIterable<Uint8Array>,
  given: RestoreOptions,
): Promise<Restored> {
  const options = completeServeOptions(given)
  await mkdir(options.dataDirectory, { recursive: true, mode: 0o700 })
  const { header, snapshot } = await readBackup(typeof from === 'string' ? createReadStream(from) : from)
  // No key is created here, because a new one couldn't decrypt the backup.
  const sealer = new RingSealer(masterKeyOf(options, { mayCreate: false }))
  let rows = 0
  const checked = withRestoreMark({
    ...snapshot,
    rows: each(snapshot.rows, sealer, (count) => {
      rows += count
    }),
  })
  const revision = isShared(options)
    ? await restorePostgres({ url: options.store, snapshot: checked })
    : await restoreSqlite({ file: sqliteFileOf(options), snapshot: checked })
  return { header, revision, rows, dataDirectory: options.dataDirectory }
}

/** Records in a PostgreSQL database that its own tools restored it. Returns the revision from which it continues. */
export function databaseRestored({ store = '' }: RestoreOptions): Promise<number> {
  return restoredPostgresStore({ url: store })
}

// Checks that the master key decrypts the key ring, which is one of the rows.
async function* each(
  rows: Snapshot['rows'],
  sealer: RingSealer,
  counted: (count: number) => void,
): AsyncGenerator<readonly StoredRow[]> {
  let opened = false
  for await (const batch of rows) {
    counted(batch.length)
    const ring = batch.find(({ key }) => Buffer.compare(key, keyRingKey) === 0)
    if (ring !== undefined) {
      await sealer.attach({
        read: async () => ({ bytes: ring.value, version: ring.revision }),
        replace: async () => true,
      })
      opened = true
    }
    yield batch
  }
  if (!opened) throw new StorageError('corrupt', 'cannot restore the backup: it has no keys')
}
