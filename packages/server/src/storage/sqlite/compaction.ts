import type { Revision } from '../contract.ts'
import type { Key } from '../key.ts'
import type { SqliteConnection, SqliteStatement } from './drivers/driver.ts'
import type { KeyIndex } from './keys/key-index.ts'
import { entryFlags } from './schema.ts'

/**
 * Deletes superseded rows in small steps. Every row names the row it replaced, so the rows between the last and this
 * compaction name exactly those that no reader can reach; deletes among them are removed too.
 */
export class Compaction {
  readonly #index: KeyIndex
  readonly #rows: SqliteStatement
  readonly #deleteEntry: SqliteStatement
  readonly #deleteValue: SqliteStatement

  constructor(connection: SqliteConnection, index: KeyIndex) {
    this.#index = index
    this.#rows = connection.query(
      `SELECT revision, key, previous, flags FROM entry WHERE revision > ? AND revision <= ? ORDER BY revision LIMIT ${rowsInStep}`,
    )
    this.#deleteEntry = connection.prepare('DELETE FROM entry WHERE revision = ?')
    this.#deleteValue = connection.prepare('DELETE FROM log WHERE revision = ?')
  }

  /** Runs one step inside a transaction. Returns its end, and the keys whose delete was removed. */
  step(
    from: Revision,
    to: Revision,
  ): { readonly swept: Revision; readonly forgotten: readonly Forgotten[]; readonly rows: number } {
    const page = this.#rows.all(from, to)
    const forgotten: Forgotten[] = []
    let rows = 0
    for (const [revision, key, previous, flags] of page) {
      if (Number(previous) > 0) rows += this.#delete(Number(previous))
      if ((Number(flags) & entryFlags.deleted) === 0) continue
      rows += this.#delete(Number(revision))
      forgotten.push({ key: key as Key, revision: Number(revision) })
    }
    return { swept: page.length < rowsInStep ? to : Number(page.at(-1)![0]), forgotten, rows }
  }

  /** Removes those keys from the index once the step is durable, unless a key was written again. */
  settle(forgotten: readonly Forgotten[]): void {
    for (const { key, revision } of forgotten) {
      const slot = this.#index.locate(key)
      if (slot >= 0 && this.#index.slots.revisions[slot] === revision) this.#index.remove(key)
    }
  }

  #delete(revision: Revision): number {
    this.#deleteEntry.run(revision)
    this.#deleteValue.run(revision)
    return 1
  }
}

/** A delete removed by compaction. */
export interface Forgotten {
  readonly key: Key
  readonly revision: Revision
}

const rowsInStep = 200
