import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StorageError } from '../storage-error.ts'
import { commit, object, put } from '../testing/shorthand.ts'
import { testSpaces } from '../testing/store-under-test.ts'
import { TestSealer } from '../testing/test-sealer.ts'
import { openSqliteStore, type SqliteStore } from './sqlite-store.ts'

let directory: string
let file: string
let older: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hykube-replaced-'))
  file = join(directory, 'data.db')
  older = join(directory, 'older.db')
})
afterEach(() => rmSync(directory, { recursive: true }))

const replacements: readonly (readonly [string, RegExp, () => void])[] = [
  ['another file is moved over it', /is another file/, () => renameSync(older, file)],
  ['it is removed', /was removed/, () => unlinkSync(file)],
  // The poll of the revision may see the older copy before the watch of the file does.
  [
    'an older copy is written into it',
    /another program wrote to it|was truncated|its revision went back|-wal was removed/,
    () => copyFileSync(older, file),
  ],
  ['it is cut short', /another program wrote to it|was truncated/, () => truncateSync(file, 0)],
  [
    'other bytes are written into it',
    /another program wrote to it|was truncated/,
    () => writeFileSync(file, 'no database'),
  ],
  ['its write-ahead log is removed', /-wal was (removed|replaced)/, () => unlinkSync(`${file}-wal`)],
  [
    'an older copy and its write-ahead log take its place',
    /is another file/,
    () => {
      renameSync(older, file)
      unlinkSync(`${file}-wal`)
      unlinkSync(`${file}-shm`)
    },
  ],
  [
    'SQLite itself restores an older state',
    /its revision went back/,
    () => change('DELETE FROM entry WHERE revision > 2; DELETE FROM log WHERE revision > 2'),
  ],
  [
    'SQLite itself gives it another incarnation',
    /it has another incarnation/,
    () => change("UPDATE meta SET value = value + 1 WHERE name = 'incarnation'"),
  ],
]

// After a complete checkpoint the log's content is not needed, and SQLite restarts it.
const logReplacements: typeof replacements = [
  ['its write-ahead log is emptied', /-wal was truncated/, () => truncateSync(`${file}-wal`, 0)],
  ['its write-ahead log loses its end', /-wal was truncated/, () => truncateSync(`${file}-wal`, 20_000)],
  [
    'its write-ahead log is overwritten with zeros',
    /another program wrote to .*-wal/,
    () => writeFileSync(`${file}-wal`, Buffer.alloc(statSync(`${file}-wal`).size), { flag: 'r+' }),
  ],
]

describe.each([
  ['few writes', 5, [...replacements, ...logReplacements]],
  ['checkpoints', 3_000, replacements],
])('a SQLite store whose file is replaced while it is open, after %s', (_, writes, each) => {
  it.each(each)('%s: ends followers, commits and reads', async (_name, why, replace) => {
    await makeOlder()
    const { store, replaced } = await open()
    const value = 'x'.repeat(2_000)
    for (let at = 0; at < writes; at += 500)
      await Promise.all(
        Array.from({ length: Math.min(500, writes) }, (_none, n) => commit(store, put(object(`n${at + n}`), value))),
      )
    const following = store
      .changes(await store.now())
      [Symbol.asyncIterator]()
      .next()
    const ended = expect(following).rejects.toMatchObject({ failure: 'replaced' })
    replace()
    expect((await replaced).message).toMatch(why)
    await ended
    const rejection = { failure: 'replaced', message: expect.stringContaining('restart the server') }
    await expect(commit(store, put(object('a'), '1'))).rejects.toMatchObject(rejection)
    await expect(store.get(object('n1'))).rejects.toMatchObject(rejection)
    await store.close()
  })
})

describe('a SQLite store', () => {
  it('does not acknowledge a commit into a file that was moved away', async () => {
    await makeOlder()
    const { store } = await open()
    await commit(store, put(object('a'), '1'))
    renameSync(older, file)
    await expect(commit(store, put(object('a'), '2'))).rejects.toMatchObject({ failure: 'replaced' })
    await store.close()
  })

  it('does not change the file that replaced it', async () => {
    await makeOlder()
    const { store, replaced } = await open()
    await commit(store, put(object('a'), '1'))
    const bytes = readFileSync(older)
    copyFileSync(older, file)
    await replaced
    await store.close()
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  it.each([
    ['empties', () => truncateSync(`${file}-wal`, 0)],
    ['zeroes', () => writeFileSync(`${file}-wal`, Buffer.alloc(statSync(`${file}-wal`).size), { flag: 'r+' })],
  ])('does not close or open over a write-ahead log that another program %s', async (_, damage) => {
    const { store } = await open()
    await commit(store, put(object('a'), '1'))
    const before = readFileSync(file)
    damage()
    await store.close()
    expect(readFileSync(file).equals(before)).toBe(true)
    // The connection stays open until the process exits; the next process sees these files without it.
    const next = join(directory, 'next.db')
    for (const ending of ['', '-wal']) copyFileSync(`${file}${ending}`, `${next}${ending}`)
    await expect(openFile(next)).rejects.toMatchObject({
      failure: 'corrupt',
      message: expect.stringMatching(/-wal is missing or empty, so commits are lost; restore a backup/),
    })
  })

  it('does not open without the write-ahead log of a killed process', async () => {
    const copy = join(directory, 'copy.db')
    const { store } = await open()
    await commit(store, put(object('a'), '1'))
    copyFileSync(file, copy)
    await expect(openFile(copy)).rejects.toMatchObject({ failure: 'corrupt' })
    copyFileSync(file, join(directory, 'whole.db'))
    copyFileSync(`${file}-wal`, join(directory, 'whole.db-wal'))
    const whole = await openFile(join(directory, 'whole.db'))
    expect(await whole.store.get(object('a'))).toMatchObject({ revision: 1 })
    await Promise.all([store.close(), whole.store.close()])
  })

  it('opens again after a kill before the first commit', async () => {
    const { store } = await open()
    for (const ending of ['', '-wal']) copyFileSync(`${file}${ending}`, `${join(directory, 'killed.db')}${ending}`)
    const again = await openFile(join(directory, 'killed.db'))
    expect(await again.store.now()).toBe(0)
    await Promise.all([store.close(), again.store.close()])
  })

  it('does not start empty in a file that was emptied', async () => {
    await makeOlder()
    truncateSync(file, 0)
    await expect(open()).rejects.toMatchObject({
      failure: 'corrupt',
      message: expect.stringContaining('it is empty, but a server used it before'),
    })
    unlinkSync(file)
    await (await open()).store.close()
  })

  it('reports nothing while it only writes and checkpoints', async () => {
    const { store, replaced } = await open()
    const value = 'x'.repeat(20_000)
    for (let at = 0; at < 40; at++)
      await Promise.all(Array.from({ length: 50 }, (_, n) => commit(store, put(object(`n${n}`), value))))
    await store.compact(await store.now())
    expect(await Promise.race([replaced, store.get(object('n1'))])).toMatchObject({ key: object('n1') })
    await store.close()
  })

  it('of an earlier version gets an incarnation when it is opened', async () => {
    await makeOlder()
    renameSync(older, file)
    change("DELETE FROM meta WHERE name = 'incarnation'")
    const { store } = await open()
    await commit(store, put(object('a'), '2'))
    await store.close()
    const database = new DatabaseSync(file)
    expect(database.prepare("SELECT value > 0 AS given FROM meta WHERE name = 'incarnation'").get()).toEqual({
      given: 1,
    })
    database.close()
  })
})

async function makeOlder(): Promise<void> {
  const { store } = await open()
  for (let at = 1; at <= 3; at++) await commit(store, put(object(`old${at}`), 'x'))
  await store.close()
  copyFileSync(file, older)
}

function change(sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE; ${sql}; COMMIT`)
  database.close()
}

function open() {
  return openFile(file)
}

async function openFile(file: string): Promise<{ store: SqliteStore; replaced: Promise<StorageError> }> {
  const { promise: replaced, resolve } = Promise.withResolvers<StorageError>()
  const store = await openSqliteStore({ file, spaces: testSpaces, sealer: new TestSealer(), replaced: resolve })
  return { store, replaced }
}
