import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StoredRow } from '../contract.ts'
import { restoreRaise } from '../restored-revision.ts'
import { StorageError } from '../storage-error.ts'
import {
  attempt,
  commit,
  commitOne,
  createNumbers,
  mark,
  object,
  put,
  remove,
  scanAll,
  secret,
  show,
  text,
} from '../testing/shorthand.ts'
import { testSpaces } from '../testing/store-under-test.ts'
import { TestSealer } from '../testing/test-sealer.ts'
import { restoreSqlite } from './restore.ts'
import { openSqliteStore, type SqliteOpenOptions, type SqliteStore } from './sqlite-store.ts'

let directory: string
let file: string
const opened: SqliteStore[] = []
const children: ChildProcess[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hykube-sqlite-'))
  file = join(directory, 'data.db')
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const store of opened.splice(0)) await store.close()
  rmSync(directory, { recursive: true })
})

describe('the file', () => {
  test('and all files beside it are readable by their owner only', async () => {
    await commit(await open(), put(object('a'), '1'))
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory).length).toBeGreaterThan(2)
  })

  test('has pages of 16 KB and syncs every commit', async () => {
    await (await open()).close()
    const database = new DatabaseSync(file)
    expect(database.prepare('PRAGMA page_size').get()).toEqual({ page_size: 16_384 })
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    database.close()
  })

  test('is rejected while another store has it, and free when that one closes', async () => {
    const first = await open()
    await expect(open()).rejects.toMatchObject({
      failure: 'unavailable',
      message: expect.stringContaining('another process is using it'),
    })
    await first.close()
    await open()
  })

  test('is rejected while another process has it, and free at once when that one is killed', {
    timeout: 30_000,
  }, async () => {
    const child = await startWriter()
    await expect(open()).rejects.toMatchObject({ failure: 'unavailable' })
    await kill(child)
    await open()
  })

  test.each([
    [
      'text',
      () => writeFileSync(file, 'this is no database, but long enough to look like a file of some kind'.repeat(50)),
    ],
    ['another program’s database', () => makeForeign('CREATE TABLE theirs (x)')],
    ['a newer format', () => makeForeign('CREATE TABLE log (x); PRAGMA user_version = 99')],
  ])('is rejected when it is %s', async (_, make) => {
    make()
    await expect(open()).rejects.toMatchObject({ failure: 'corrupt' })
  })

  test('passes its own integrity check, and fails it when bytes are flipped', async () => {
    const store = await open()
    for (let at = 0; at < 50; at++) await commit(store, put(object(`n${at}`), 'x'.repeat(5000)))
    expect(await store.checkIntegrity()).toEqual([])
    await store.close()
    const bytes = readFileSync(file)
    bytes.fill(0xee, 16_384 * 2, 16_384 * 4)
    writeFileSync(file, bytes)
    const again = await open().catch((error: unknown) => error)
    if (again instanceof Error) expect(again).toMatchObject({ failure: 'corrupt' })
    else expect(await (again as SqliteStore).checkIntegrity().catch(String)).not.toEqual([])
  })
})

describe('a full disk', () => {
  const large = 'x'.repeat(400_000)

  test('fails the commit, loses nothing, and continues when there is space again', async () => {
    const store = await open({ maximumBytes: 300_000 })
    const before = await commitOne(store, put(object('a'), 'kept'))
    const refused = attempt(store, [put(object('b'), large), put(object('a'), 'lost')])
    await expect(refused).rejects.toMatchObject({ failure: 'unavailable' })
    expect(text((await store.get(object('a')))?.value)).toBe('kept')
    expect(await store.get(object('b'))).toBeUndefined()
    expect(await store.now()).toBe(before)
    expect(await store.count({ space: 'objects' })).toBe(1)
    expect(await commitOne(store, put(object('b'), 'small'))).toBe(before + 1)
    await store.close()
    expect(await commitOne(await open(), put(object('b'), large))).toBe(before + 2)
  })

  test('rolls back range deletes and deletes in spaces without history too', async () => {
    const store = await open({ maximumBytes: 300_000 })
    await commit(store, put(mark('a'), '1'), put(mark('b'), '2'), put(object('o'), '3'))
    const group = [
      put(mark('c'), '4'),
      { kind: 'delete-range' as const, range: { space: 'marks' } },
      remove(object('o')),
      put(object('x'), large),
    ]
    await expect(attempt(store, group)).rejects.toMatchObject({ failure: 'unavailable' })
    expect(show(await scanAll(store, { space: 'marks' }))).toEqual(['a=1', 'b=2'])
    expect(show(await scanAll(store, { space: 'objects' }))).toEqual(['o=3'])
    expect(await store.count({ space: 'marks' })).toBe(2)
  })
})

describe('backup and restore', () => {
  test('copy everything consistently during commits', async () => {
    const store = await open()
    for (let at = 0; at < 40; at++) {
      await commit(
        store,
        ...Array.from({ length: 100 }, (_, n) => put(object(`n${at}-${n}`), 'x'.repeat(500))),
        put(mark('m'), String(at)),
      )
    }
    let running = true
    const writing = (async () => {
      for (let at = 0; running; at++)
        await commit(store, put(object('left'), String(at)), put(mark('right'), String(at)), put(secret('s'), 'hidden'))
    })()
    const snapshot = await store.snapshot()
    await expect(store.snapshot()).rejects.toMatchObject({ failure: 'unavailable' })
    const into = join(directory, 'restored.db')
    await restoreSqlite({ file: into, snapshot })
    running = false
    await writing
    expect(readdirSync(directory).filter((name) => /snapshot|restoring/.test(name))).toEqual([])
    expect(statSync(into).mode & 0o777).toBe(0o600)
    const last = await store.now()
    await store.close()

    const restored = await open({ file: into })
    const now = await restored.now()
    expect(now).toBeGreaterThan(restoreRaise)
    expect(now).toBeLessThanOrEqual(last + restoreRaise)
    expect((await restored.statistics()).compacted).toBe(now)
    expect(await restored.checkIntegrity()).toEqual([])
    expect(await restored.count({ space: 'objects', prefix: ['root'] })).toBeGreaterThanOrEqual(4000)
    expect(text((await restored.get(object('left')))?.value)).toBe(text((await restored.get(mark('right')))?.value))
    expect(text((await restored.get(secret('s')))?.value)).toBe('hidden')
    await expect(restored.get(object('left'), { revision: last })).rejects.toMatchObject({ failure: 'expired' })
    expect(await commitOne(restored, put(object('new'), '1'))).toBe(now + 1)
  })

  test('leave out history and deleted keys', async () => {
    const store = await open()
    for (let at = 0; at < 5; at++) await commit(store, put(object('a'), String(at)), put(object('b'), 'x'))
    await commit(store, remove(object('b')))
    const rows: StoredRow[] = []
    for await (const batch of (await store.snapshot()).rows) rows.push(...batch)
    expect(rows.map(({ value }) => text(value))).toEqual(['4'])
  })

  test('overwrite nothing, and remove a failed copy', async () => {
    const store = await open()
    await commit(store, put(object('a'), '1'))
    const { revision, rows } = await store.snapshot()
    await expect(restoreSqlite({ file, snapshot: { revision, rows } })).rejects.toMatchObject({ failure: 'invalid' })
    const into = join(directory, 'restored.db')
    const broken = (async function* () {
      yield* rows
      throw new StorageError('corrupt', 'cut off')
    })()
    await expect(restoreSqlite({ file: into, snapshot: { revision, rows: broken } })).rejects.toMatchObject({
      failure: 'corrupt',
    })
    expect(readdirSync(directory).filter((name) => name.startsWith('restored.db'))).toEqual([])
  })
})

describe('an encrypted space', () => {
  test('leaves no plain bytes in any file, also after rotation and backup', async () => {
    const sealer = new TestSealer()
    const store = await open({ sealer })
    const planted = 'planted-value-8f3a'
    for (let at = 0; at < 30; at++) await commit(store, put(secret(`s${at}`), `${planted}-${at}`))
    sealer.generation = 2
    expect(await store.rotate()).toBe(30)
    await restoreSqlite({ file: join(directory, 'restored.db'), snapshot: await store.snapshot() })
    for (const name of readdirSync(directory))
      expect(readFileSync(join(directory, name)).includes(planted), name).toBe(false)
    expect(text((await store.get(secret('s7')))?.value)).toBe(`${planted}-7`)
  })

  test('is not opened without a sealer', async () => {
    await expect(openSqliteStore({ file, spaces: testSpaces })).rejects.toMatchObject({ failure: 'invalid' })
  })
})

describe('the write-ahead log', () => {
  test('stays short under constant writes, and loses nothing', { timeout: 60_000 }, async () => {
    const soft = 4 * 1024 * 1024
    const store = await open({ softWalBytes: soft, hardWalBytes: 3 * soft })
    const value = 'x'.repeat(50_000)
    let most = 0
    for (let round = 0; round < 60; round++) {
      await Promise.all(Array.from({ length: 20 }, (_, at) => commit(store, put(object(`${round}-${at}`), value))))
      most = Math.max(most, (await store.statistics()).details.walBytes!)
    }
    expect(most).toBeLessThan(4 * soft)
    await store.close()
    expect(await (await open()).count({ space: 'objects' })).toBe(1200)
  })
})

describe('kill -9', () => {
  test('loses no acknowledged commit', { timeout: 60_000 }, async () => {
    const numbers = createNumbers(Date.now())
    for (let round = 0; round < 3; round++) {
      const child = await startWriter()
      let output = ''
      child.stdout!.on('data', (chunk) => {
        output += chunk
      })
      const enough = 200 + Math.floor(numbers() * 2000)
      while (countLines(output) < enough) await once(child.stdout!, 'data')
      await kill(child)
      const store = await open()
      const acknowledged = output.split('\n').slice(0, -1)
      expect(acknowledged.length).toBeGreaterThanOrEqual(enough)
      for (const line of acknowledged) {
        const [name, revision] = line.split(' ')
        expect(await store.get(object(name!))).toMatchObject({ revision: Number(revision) })
        expect(text((await store.get(mark(name!)))?.value)).toBe(name)
      }
      expect(await store.now()).toBeGreaterThanOrEqual(Number(acknowledged.at(-1)!.split(' ')[1]))
      expect(await store.count({ space: 'marks' })).toBe(await store.count({ space: 'objects' }))
      await store.close()
    }
  })
})

async function open(more: Partial<SqliteOpenOptions> = {}): Promise<SqliteStore> {
  const store = await openSqliteStore({ file, spaces: testSpaces, sealer: new TestSealer(), ...more })
  opened.push(store)
  return store
}

// Starts a process that commits continuously and prints acknowledged commits; resolves after the first one.
async function startWriter(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [new URL('../testing/writer-process.ts', import.meta.url).pathname, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout!, 'readable')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

function countLines(output: string): number {
  return output.split('\n').length - 1
}

function makeForeign(sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
  chmodSync(file, 0o600)
}
