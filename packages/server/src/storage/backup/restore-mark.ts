import type { Revision, Snapshot, Space, Store, StoredRow } from '../contract.ts'
import { encodeKey, type Key } from '../key.ts'

/** Space of the mark: a store that may have been restored must have it. */
export const restoreMarkSpace: Space = { name: 'restored', segments: 1, history: false }

/**
 * Adds a mark to a snapshot. Revisions up to the mark were written before the restore; real resources may have changed
 * since.
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

/** Returns the last revision before the last restore, or undefined when the store was never restored. */
export async function restoreMarkOf(store: Store): Promise<Revision | undefined> {
  return (await store.get(restoreMarkKey))?.revision
}

/** Key of the mark; its revision is the mark. */
export const restoreMarkKey: Key = encodeKey(restoreMarkSpace.name, ['last'])

async function* marked(rows: Snapshot['rows'], mark: StoredRow): AsyncGenerator<readonly StoredRow[]> {
  // A second restore replaces the mark of the first.
  for await (const batch of rows) yield batch.filter(({ key }) => Buffer.compare(key, restoreMarkKey) !== 0)
  yield [mark]
}
