import type { Revision, Snapshot, Space, Store, StoredRow } from '../contract.ts'
import { encodeKey, type Key } from '../key.ts'

/** The space of the mark: a store that may have been restored is opened with this one too. */
export const restoreMarkSpace: Space = { name: 'restored', segments: 1, history: false }

/**
 * The snapshot with a mark in it: whatever was written up to the mark was written before the restore, and what exists outside
 * may have gone on since.
 */
export function withRestoreMark({ revision, rows }: Snapshot): Snapshot {
  const mark: StoredRow = {
    key: restoreMarkKey,
    revision: revision + 1,
    tag: 0,
    value: new Uint8Array(),
    history: false,
  }
  return { revision: revision + 1, rows: marked(rows, mark) }
}

/** Up to which revision a store was written before it was last restored; undefined when it never was. */
export async function restoreMarkOf(store: Store): Promise<Revision | undefined> {
  return (await store.get(restoreMarkKey))?.revision
}

/** Where the mark is; its revision is what it says. */
export const restoreMarkKey: Key = encodeKey(restoreMarkSpace.name, ['last'])

async function* marked(rows: Snapshot['rows'], mark: StoredRow): AsyncGenerator<readonly StoredRow[]> {
  // A store that is restored a second time has the mark of the first.
  for await (const batch of rows) yield batch.filter(({ key }) => Buffer.compare(key, restoreMarkKey) !== 0)
  yield [mark]
}
