import fs, { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attempt, commit, commitOne, mark, object, put, remove, scanAll, show, text } from '../testing/shorthand.ts'
import { testSpaces } from '../testing/store-under-test.ts'
import { TestSealer } from '../testing/test-sealer.ts'
import { openSqliteStore, type SqliteStore } from './sqlite-store.ts'

let directory: string
let store: SqliteStore

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hykube-sync-'))
  store = await openSqliteStore({ file: join(directory, 'data.db'), spaces: testSpaces, sealer: new TestSealer() })
})

afterEach(async () => {
  disk.restore()
  await store.close()
  rmSync(directory, { recursive: true })
})

describe('until the disk sync completes', () => {
  test('commits are invisible, and then visible to all', async () => {
    const before = await commitOne(store, put(object('a'), 'old'))
    const release = disk.hold()
    const committing = commit(store, put(object('a'), 'new'), put(object('b'), 'new'))
    await disk.asked()
    expect(text((await store.get(object('a')))?.value)).toBe('old')
    expect(show(await scanAll(store, { space: 'objects' }))).toEqual(['a=old'])
    expect(await store.count({ space: 'objects' })).toBe(1)
    expect(await store.now()).toBe(before)
    release()
    await committing
    expect(show(await scanAll(store, { space: 'objects' }))).toEqual(['a=new', 'b=new'])
    expect(await store.now()).toBe(before + 2)
  })

  test('followers do not see them, also new followers', async () => {
    const before = await commitOne(store, put(object('a'), 'old'))
    const release = disk.hold()
    const committing = commit(store, put(object('a'), 'new'))
    await disk.asked()
    const heard: string[] = []
    const following = (async () => {
      for await (const { changes } of store.changes(before - 1)) {
        heard.push(...changes.map(({ value }) => text(value)!))
        if (heard.includes('new')) return
      }
    })()
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    expect(heard).toEqual(['old'])
    release()
    await Promise.all([committing, following])
    expect(heard).toEqual(['old', 'new'])
  })

  test('reads of a space without history wait for pending replacements', async () => {
    await commit(store, put(mark('a'), 'old'), put(mark('b'), 'old'))
    const release = disk.hold()
    const committing = commit(store, put(mark('a'), 'new'), remove(mark('b')))
    await disk.asked()
    let answered = false
    const reading = Promise.all([store.get(mark('a')), scanAll(store, { space: 'marks' })]).finally(() => {
      answered = true
    })
    await nextTurn()
    expect(answered).toBe(false)
    release()
    const [entry, entries] = await reading
    await committing
    expect([text(entry?.value), show(entries)]).toEqual(['new', ['a=new']])
  })

  test('further commits share the next sync, and see the pending ones', async () => {
    const release = disk.hold()
    const first = commitOne(store, put(object('a'), '1', { expect: 'absent' }))
    await disk.asked()
    const second = store.commit({ operations: [put(object('a'), '2', { expect: 'absent' })] })
    const third = commitOne(store, put(object('b'), '3'))
    release()
    expect(await second).toMatchObject({ kind: 'refused', failures: [{ current: await first }] })
    expect(await third).toBe((await first) + 1)
    expect(disk.times).toBe(2)
  })
})

test('a failed sync leaves the outcome unknown, and the store rejects writes until it is reopened', async () => {
  await commit(store, put(object('a'), 'old'), put(mark('m'), 'old'))
  disk.fail()
  const failing = attempt(store, [put(object('a'), 'new'), put(mark('m'), 'new')])
  await expect(failing).rejects.toMatchObject({ failure: 'unknown-outcome' })
  disk.restore()
  await expect(attempt(store, [put(object('b'), '1')])).rejects.toMatchObject({ failure: 'unavailable' })
  expect(text((await store.get(object('a')))?.value)).toBe('old')
  await expect(store.get(mark('m'))).rejects.toMatchObject({ failure: 'unavailable' })
})

/** A disk whose syncs the test can delay. */
const disk = (() => {
  const real = fs.fdatasync
  let held: (() => void) | undefined
  let asked = Promise.withResolvers<void>()
  const set = (fdatasync: typeof fs.fdatasync) => {
    fs.fdatasync = fdatasync
    syncBuiltinESMExports()
  }
  return {
    times: 0,
    /** Delays the next syncs until the returned function is called. */
    hold(): () => void {
      this.times = 0
      asked = Promise.withResolvers<void>()
      const { promise, resolve } = Promise.withResolvers<void>()
      held = resolve
      set(((descriptor: number, done: fs.NoParamCallback) => {
        this.times++
        asked.resolve()
        void promise.then(() => real(descriptor, done))
      }) as typeof fs.fdatasync)
      return resolve
    },
    asked: () => asked.promise,
    fail: () =>
      set(((_: number, done: fs.NoParamCallback) => {
        setImmediate(done, new Error('EIO'))
      }) as typeof fs.fdatasync),
    restore: () => {
      held?.()
      set(real)
    },
  }
})()
