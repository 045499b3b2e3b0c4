import type { Revision } from '../../contract.ts'
import type { SqliteConnection } from '../drivers/driver.ts'
import { entryFlags } from '../schema.ts'
import { KeyIndex } from './key-index.ts'

/**
 * Builds the index from the narrow table. Rows are read newest first, thousands per query: a row that a newer one names
 * as previous is history, and every other row is the newest of its key.
 */
export function loadIndex(connection: SqliteConnection): { readonly index: KeyIndex; readonly last: Revision } {
  const index = new KeyIndex()
  const superseded = new Set<Revision>()
  const page = connection.query(pageSql)
  let slots = new Uint32Array(1024)
  let count = 0
  let last = 0
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = readPage(page.get(before))
    if (rows === undefined) break
    let offset = 0
    for (let at = 0; at < rows.revisions.length; at++) {
      const start = offset
      offset += rows.lengths[at]!
      if (rows.previous[at]! > 0) superseded.add(rows.previous[at]!)
      if (superseded.delete(rows.revisions[at]!)) continue
      const slot = index.slots.add(rows.keys.subarray(start, offset))
      const deleted = (rows.flags[at]! & entryFlags.deleted) !== 0
      index.slots.set(slot, rows.revisions[at]!, rows.tags[at]!, rows.sizes[at]!, deleted)
      if (count === slots.length) slots = doubled(slots)
      slots[count++] = slot
    }
    last = Math.max(last, rows.revisions[0]!)
    before = rows.revisions.at(-1)!
  }
  index.load(slots.subarray(0, count))
  return { index, last }
}

const pageSql = `
  SELECT cast(group_concat(key, '') AS BLOB), json_group_array(length(key)), json_group_array(revision),
    json_group_array(previous), json_group_array(size), json_group_array(tag), json_group_array(flags)
  FROM (SELECT * FROM entry WHERE revision < ? ORDER BY revision DESC LIMIT 4000)`

function readPage(row: readonly unknown[] | undefined) {
  const [keys, ...columns] = row ?? []
  if (!(keys instanceof Uint8Array) || keys.length === 0) return undefined
  const [lengths, revisions, previous, sizes, tags, flags] = columns.map(
    (column) => JSON.parse(String(column)) as number[],
  )
  return {
    keys,
    lengths: lengths!,
    revisions: revisions!,
    previous: previous!,
    sizes: sizes!,
    tags: tags!,
    flags: flags!,
  }
}

function doubled(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(slots.length * 2)
  larger.set(slots)
  return larger
}
