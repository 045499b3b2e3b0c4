import type { Revision } from '../contract.ts'
import type { SqliteDriver } from './drivers/driver.ts'
import { entryFlags, lastRevision, numberOf, prepareDatabase } from './schema.ts'

/**
 * Copies the current values of a database in use to a new file and returns the revision. It reads in short pieces,
 * because a long read would keep the write-ahead log from restarting. Rows are only inserted and deleted (rotation
 * aside), so changes made during the copy are found at the end and applied in one last short read.
 */
export function copyDatabase(driver: SqliteDriver, file: string, to: string): Revision {
  const copy = driver.open(to)
  try {
    // The copy is used only when complete, so it needs no crash safety.
    copy.exec('PRAGMA synchronous = OFF;')
    prepareDatabase(copy)
    copy.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;')
    copy.prepare('ATTACH ? AS source').run(file)
    copy.exec('PRAGMA source.busy_timeout = 10000;')
    const copyLog = copy.prepare(
      'INSERT INTO log SELECT revision, value FROM source.log WHERE revision > ? AND revision <= ?',
    )
    const copyEntry = copy.prepare('INSERT INTO entry SELECT * FROM source.entry WHERE revision > ? AND revision <= ?')
    const next = copy.query(
      'SELECT max(revision) FROM (SELECT revision FROM source.entry WHERE revision > ? ORDER BY revision LIMIT 2000)',
    )
    const copyUntil = (from: number, until: number) => {
      copyLog.run(from, until)
      copyEntry.run(from, until)
      return until
    }
    let done = 0
    for (;;) {
      const until = Number(next.get(done)?.[0] ?? 0)
      const last = numberOf(copy, 'SELECT max(revision) FROM source.entry')
      // Near the end the rest is left for the last read.
      if (until === 0 || last - until < 2000) break
      copy.exec('BEGIN')
      done = copyUntil(done, until)
      copy.exec('COMMIT')
    }
    copy.exec('BEGIN')
    copyUntil(done, Number.MAX_SAFE_INTEGER)
    copy.exec(`
      DELETE FROM log WHERE revision NOT IN (SELECT revision FROM source.entry);
      DELETE FROM entry WHERE revision NOT IN (SELECT revision FROM source.entry);
      DELETE FROM meta;
      INSERT INTO meta SELECT * FROM source.meta;
    `)
    copy.exec('COMMIT')
    copy.exec('DETACH source')
    const revision = numberOf(copy, lastRevision)
    // Rows named as previous are history; only the narrow table is needed to exclude them.
    copy.exec(`
      DELETE FROM entry WHERE revision IN (SELECT previous FROM entry WHERE previous > 0);
      DELETE FROM entry WHERE flags & ${entryFlags.deleted} <> 0;
    `)
    return revision
  } finally {
    copy.close()
  }
}
