import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteWorld } from './sqlite-world.ts'

function temporaryFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sim-sqlite-world-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return join(directory, 'world.db')
}

function opened(file: string): SqliteWorld {
  const world = new SqliteWorld(file)
  onTestFinished(() => world.close())
  return world
}

// Earlier versions created the table WITHOUT ROWID.
function earlierFile(): string {
  const file = temporaryFile()
  const database = new DatabaseSync(file)
  database.exec(`
    CREATE TABLE objects (type TEXT, id TEXT, body TEXT NOT NULL, PRIMARY KEY (type, id)) WITHOUT ROWID;
    INSERT INTO objects VALUES ('thing', 'a', '{"id":"a","size":1}'), ('thing', 'b', '{"id":"b"}');
  `)
  database.close()
  return file
}

test('reads and writes a file of an earlier version', async () => {
  const world = opened(earlierFile())
  await world.writeMany('thing', [
    ['c', { id: 'c' }],
    ['a', { id: 'a', size: 2 }],
    ['b', undefined],
  ])
  expect(await world.readMany('thing', ['a', 'b', 'c'])).toEqual([{ id: 'a', size: 2 }, undefined, { id: 'c' }])
})

test('two connections to one file see each other’s writes, listed by id', async () => {
  const file = temporaryFile()
  const [one, other] = [opened(file), opened(file)]
  await one.writeMany('thing', [
    ['b', { id: 'b' }],
    ['c', { id: 'c' }],
  ])
  await other.writeMany('thing', [
    ['a', { id: 'a' }],
    ['b', { id: 'b', size: 2 }],
  ])
  await other.writeMany('other', [['z', { id: 'z' }]])
  const listed = await Array.fromAsync(one.list('thing'))
  expect(listed).toEqual([
    ['a', { id: 'a' }],
    ['b', { id: 'b', size: 2 }],
    ['c', { id: 'c' }],
  ])
})

test('writes a batch atomically', async () => {
  const world = opened(temporaryFile())
  await expect(
    world.writeMany('thing', [
      ['a', { id: 'a' }],
      ['b', { id: 1n }],
    ]),
  ).rejects.toThrow('BigInt')
  expect(await world.readMany('thing', ['a', 'b'])).toEqual([undefined, undefined])
})
