import type { Revision } from '../contract.ts'
import type { SqliteDriver } from './driver.ts'
import { entryFlags, lastRevision, numberOf, prepareDatabase } from './schema.ts'

/**
 * Copies what a database that is being written holds now, without its past, into a new file; answers the revision. In pieces, each reading for a moment only, because the
 * write-ahead log cannot shorten while somebody reads for long. What changes behind the copying is found at the end, in one
 * last moment in which the copy is made equal: rows are never changed but by rotation, they come and go.
 */
export function copyDatabase(driver: SqliteDriver, file: string, to: string): Revision {
  const copy = driver.open(to)
  try {
    // Nothing reads the copy before it is whole, so that it need not be safe on the way.
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
      // Near the end the rest is left for the last moment.
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
    // What a row names as its previous is the past; only the narrow table is needed to leave it out.
    copy.exec(`
      DELETE FROM entry WHERE revision IN (SELECT previous FROM entry WHERE previous > 0);
      DELETE FROM entry WHERE flags & ${entryFlags.deleted} <> 0;
    `)
    return revision
  } finally {
    copy.close()
  }
}
