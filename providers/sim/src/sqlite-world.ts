import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { checkId, type World, type WorldObject } from './world.ts'

/** Stores all objects in one SQLite file, for large numbers of objects. Several processes can use it concurrently. */
export class SqliteWorld implements World {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(file: string) {
    this.#database = new DatabaseSync(file, { timeout: 10_000 })
    // Ids are random, so that each call touches index pages all over the file: a large cache and mmap keep them in memory.
    // The table has row ids, so that bodies are appended in order of insertion. Files of earlier versions, whose table is
    // WITHOUT ROWID, work too.
    this.#database.exec(`
      PRAGMA cache_size = -65536;
      PRAGMA mmap_size = 1073741824;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = 4000;
      CREATE TABLE IF NOT EXISTS objects (type TEXT, id TEXT, body TEXT NOT NULL, PRIMARY KEY (type, id));
    `)
  }

  async read(type: string, id: string): Promise<WorldObject | undefined> {
    const row = this.#prepare('SELECT body FROM objects WHERE type = ? AND id = ?').get(type, id)
    return row === undefined ? undefined : parse(row.body)
  }

  async readMany(type: string, ids: readonly string[]): Promise<readonly (WorldObject | undefined)[]> {
    const rows = this.#prepare(
      'SELECT id, body FROM objects WHERE type = ? AND id IN (SELECT value FROM json_each(?))',
    ).all(type, JSON.stringify(ids))
    const found = new Map(rows.map(({ id, body }) => [id as string, body]))
    return ids.map((id) => (found.has(id) ? parse(found.get(id)) : undefined))
  }

  async writeMany(
    type: string,
    objects: readonly (readonly [id: string, object: WorldObject | undefined])[],
  ): Promise<void> {
    for (const [id] of objects) checkId(id)
    const remove = this.#prepare('DELETE FROM objects WHERE type = ? AND id = ?')
    const put = this.#prepare(
      'INSERT INTO objects (type, id, body) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
    )
    // A single statement is a transaction by itself. IMMEDIATE takes the write lock at the start, where waiting for another
    // process is possible; a lock upgrade later would fail at once.
    if (objects.length > 1) this.#database.exec('BEGIN IMMEDIATE')
    try {
      for (const [id, object] of objects) {
        if (object === undefined) remove.run(type, id)
        else put.run(type, id, JSON.stringify(object))
      }
      if (objects.length > 1) this.#database.exec('COMMIT')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  async *list(type: string): AsyncGenerator<readonly [string, WorldObject]> {
    // Read in pages, so that no read transaction stays open while the consumer is slow.
    const page = this.#prepare('SELECT id, body FROM objects WHERE type = ? AND id > ? ORDER BY id LIMIT 1000')
    for (let after = ''; ; ) {
      const rows = page.all(type, after)
      for (const { id, body } of rows) yield [id as string, parse(body)]
      if (rows.length < 1000) return
      after = rows.at(-1)!.id as string
    }
  }

  close(): void {
    this.#database.close()
  }

  // Prepared statements are cached by their text.
  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, known)
    return known
  }
}

function parse(body: unknown): WorldObject {
  return JSON.parse(body as string) as WorldObject
}
