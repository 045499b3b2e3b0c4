import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Store } from '../contract.ts'
import { openPostgresStore } from '../postgres/postgres-store.ts'
import { restorePostgres } from '../postgres/restore.ts'
import { restoreRaise } from '../restored-revision.ts'
import { restoreSqlite } from '../sqlite/restore.ts'
import { openSqliteStore } from '../sqlite/sqlite-store.ts'
import { describeWithPostgres, freshSchema } from '../testing/postgres-for-tests.ts'
import { commit, mark, object, put, remove, scanAll, secret, show, text } from '../testing/shorthand.ts'
import { testSpaces } from '../testing/store-under-test.ts'
import { TestSealer } from '../testing/test-sealer.ts'

describeWithPostgres('a snapshot', (server) => {
  let directory: string
  const sealer = new TestSealer()
  const shared = { spaces: testSpaces, sealer }
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'hykube-backup-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it.each([
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
    ['postgres', 'postgres'],
  ] as const)('goes from %s to %s, consistent while commits go on', async (from, to) => {
    const old = await open(from)
    for (let at = 0; at < 5; at++) {
      await commit(old, ...Array.from({ length: 100 }, (_, n) => put(object(`n${at}-${n}`), 'x'.repeat(500))))
      await commit(old, put(mark('m'), String(at)), put(secret('s'), `hidden-${at}`))
    }
    await commit(old, remove(object('n0-0')))
    let running = true
    const writing = (async () => {
      for (let at = 0; running; at++) await commit(old, put(object('left'), String(at)), put(mark('right'), String(at)))
    })()
    const snapshot = await old.snapshot()
    const place = { file: join(directory, 'new.db'), url: server().url(), schema: freshSchema() }
    const revision =
      to === 'sqlite' ? await restoreSqlite({ ...place, snapshot }) : await restorePostgres({ ...place, snapshot })
    running = false
    await writing
    expect(revision).toBe(snapshot.revision + restoreRaise)

    const restored =
      to === 'sqlite'
        ? await openSqliteStore({ ...shared, file: place.file })
        : await openPostgresStore({ ...shared, ...place })
    expect(await restored.now()).toBe(revision)
    // The values of that moment, at the same revisions.
    const then = await scanAll(old, { space: 'objects' }, { revision: snapshot.revision })
    const rows = await scanAll(restored, { space: 'objects' })
    expect(rows.map(({ revision: at, value }) => [at, text(value)])).toEqual(
      then.map(({ revision: at, value }) => [at, text(value)]),
    )
    expect(show(rows)).toEqual(show(then))
    expect(text((await restored.get(object('left')))?.value)).toBe(text((await restored.get(mark('right')))?.value))
    expect(text((await restored.get(secret('s')))?.value)).toBe('hidden-4')
    expect(await restored.get(object('n0-0'))).toBeUndefined()
    // Revisions from before the restore are expired.
    await expect(restored.scan({ space: 'objects' }, { revision: snapshot.revision })).rejects.toMatchObject({
      failure: 'expired',
    })
    const following = restored.changes(snapshot.revision)[Symbol.asyncIterator]()
    await expect(following.next()).rejects.toMatchObject({ failure: 'expired' })
    expect(await commit(restored, put(object('new'), '1'))).toEqual([revision + 1])
    await Promise.all([old.close(), restored.close()])
  })

  it('is not restored into a database with a store, and leaves nothing after a failure', async () => {
    const schema = freshSchema()
    const old = await openPostgresStore({ ...shared, url: server().url(), schema })
    await commit(old, put(object('a'), '1'))
    const place = { url: server().url(), schema }
    await expect(restorePostgres({ ...place, snapshot: await old.snapshot() })).rejects.toMatchObject({
      failure: 'invalid',
    })
    const other = { url: server().url(), schema: freshSchema() }
    const { revision, rows } = await old.snapshot()
    const broken = (async function* () {
      yield* rows
      throw new Error('cut off')
    })()
    await expect(restorePostgres({ ...other, snapshot: { revision, rows: broken } })).rejects.toThrow('cut off')
    const empty = await openPostgresStore({ ...shared, ...other })
    expect(await empty.now()).toBe(0)
    expect(await empty.count({ space: 'objects' })).toBe(0)
    await Promise.all([old.close(), empty.close()])
  })

  function open(kind: 'sqlite' | 'postgres'): Promise<Store> {
    return kind === 'sqlite'
      ? openSqliteStore({ ...shared, file: join(directory, 'old.db') })
      : openPostgresStore({ ...shared, url: server().url(), schema: freshSchema() })
  }
})
