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

/** Where a backup goes, in the words of `serve`. */
export type RestoreOptions = Pick<
  ServeOptions,
  'dataDirectory' | 'store' | 'masterKeyFile' | 'masterKeyCommand' | 'version'
>

/** What was restored. */
export interface Restored {
  readonly header: BackupHeader
  /** Where the store goes on. */
  readonly revision: number
  readonly rows: number
  readonly dataDirectory: string
}

/** Makes a store of a backup (a file, or a stream), where there is none yet. Nothing is kept of one that is damaged or sealed under another key. */
export async function restoreBackup(
  from: string | AsyncIterable<Uint8Array>,
  given: RestoreOptions,
): Promise<Restored> {
  const options = completeServeOptions(given)
  await mkdir(options.dataDirectory, { recursive: true, mode: 0o700 })
  const { header, snapshot } = await readBackup(typeof from === 'string' ? createReadStream(from) : from)
  // The key is never made here: one that is new opens nothing.
  const sealer = new RingSealer(masterKeyOf(options, { mayMake: false }))
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

/** Tells a PostgreSQL database that its own tools restored it. Returns where it goes on. */
export function databaseRestored({ store = '' }: RestoreOptions): Promise<number> {
  return restoredPostgresStore({ url: store })
}

// The ring of keys is among the rows: the master key must open it.
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
