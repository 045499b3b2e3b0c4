import { DatabaseSync } from 'node:sqlite'

export type WorldObject = Record<string, unknown>

/** The simulated cloud from outside, as somebody sees it who does not ask the provider. */
export class World {
  readonly #database: DatabaseSync

  readonly file: string

  constructor(file: string) {
    this.file = file
    this.#database = new DatabaseSync(file, { timeout: 10_000 })
    // Test data need not survive a crash.
    this.#database.exec('PRAGMA synchronous = OFF')
    this.#database.exec(
      'CREATE TABLE IF NOT EXISTS objects (type TEXT, id TEXT, body TEXT NOT NULL, PRIMARY KEY (type, id)) WITHOUT ROWID',
    )
  }

  read(type: string, id: string): WorldObject | undefined {
    const row = this.#database.prepare('SELECT body FROM objects WHERE type = ? AND id = ?').get(type, id)
    return row === undefined ? undefined : (JSON.parse(row.body as string) as WorldObject)
  }

  /** Everything there is, by type. */
  all(): { readonly type: string; readonly id: string; readonly object: WorldObject }[] {
    const rows = this.#database.prepare('SELECT type, id, body FROM objects ORDER BY type, id').all()
    return rows.map(({ type, id, body }) => ({
      type: type as string,
      id: id as string,
      object: JSON.parse(body as string) as WorldObject,
    }))
  }

  /** Puts an object there behind the provider's back. */
  write(type: string, id: string, object: WorldObject): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO objects (type, id, body) VALUES (?, ?, ?)')
      .run(type, id, JSON.stringify({ id, ...object }))
  }

  /** Changes an object behind the provider's back. */
  edit(type: string, id: string, changes: WorldObject): void {
    this.write(type, id, { ...this.read(type, id), ...changes })
  }

  remove(type: string, id: string): void {
    this.#database.prepare('DELETE FROM objects WHERE type = ? AND id = ?').run(type, id)
  }

  /** Has writes or deletions of objects fail from now on, of a type and with a text in them; nothing more when there is none. */
  refuse(what: { readonly verb: 'INSERT' | 'DELETE'; readonly type: string; readonly text: string } | undefined): void {
    this.#database.exec('DROP TRIGGER IF EXISTS refusal')
    if (what === undefined) return
    const row = what.verb === 'INSERT' ? 'NEW' : 'OLD'
    this.#database.exec(
      `CREATE TRIGGER refusal BEFORE ${what.verb} ON objects WHEN ${row}.type = '${what.type}' AND ${row}.body LIKE '%${what.text}%' ` +
        "BEGIN SELECT RAISE(ABORT, 'the world refuses'); END",
    )
  }

  close(): void {
    this.#database.close()
  }
}
