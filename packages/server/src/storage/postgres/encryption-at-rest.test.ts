import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { keyRingRecordOf, keyRingSpace } from '../encryption/key-ring-record.ts'
import { createMasterKey, formatMasterKey } from '../encryption/master-key.ts'
import { masterKeyFromText } from '../encryption/master-key-source.ts'
import { RingSealer } from '../encryption/ring-sealer.ts'
import { encodeKey } from '../key.ts'
import { describeWithPostgres, freshSchema } from '../testing/postgres-for-tests.ts'
import type { PostgresServer } from '../testing/postgres-server.ts'
import { changesUntil, commit, commitOne, put, remove, secret, text } from '../testing/shorthand.ts'
import { testSpaces } from '../testing/store-under-test.ts'
import { openPostgresStore } from './postgres-store.ts'

const spaces = [...testSpaces, keyRingSpace, { name: 'state', segments: 1, history: false, encrypted: true }]
const state = (name: string) => encodeKey('state', [name])

describeWithPostgres('encrypted spaces in PostgreSQL', (server) => {
  const planted = 'planted-secret-4711-planted'

  it('leave no plain value in files, log or dump, also after rotation', async () => {
    const { store, sealer } = await open(server(), freshSchema(), formatMasterKey(createMasterKey()))
    for (let at = 0; at < 50; at++) await commit(store, put(secret(`s${at}`), `${planted} ${at}`, { stamp: 0 }))
    await commit(store, put(state('x'), planted), put(secret('s1'), `${planted} again`), remove(secret('s2')))
    await commit(store, remove(secret('s3'), { value: Buffer.from(planted) }))
    expect(await findEverywhere(server(), planted)).toEqual([])
    await sealer.rotateDataKey()
    expect(await store.rotate()).toBeGreaterThan(50)
    expect(await store.rotate()).toBe(0)
    await sealer.recordRotation(0, Date.now())
    await sealer.rotateDataKey()
    expect(await store.rotate()).toBeGreaterThan(50)
    expect(text((await store.get(secret('s7')))?.value)).toContain(planted)
    expect(text((await store.get(state('x')))?.value)).toBe(planted)
    expect(await findEverywhere(server(), planted)).toEqual([])
    await store.close()
  })

  it('would be found in an unencrypted space: the search can fail', async () => {
    const { store } = await open(server(), freshSchema(), formatMasterKey(createMasterKey()))
    await commit(store, put(encodeKey('objects2', ['a']), 'in-the-open-0815'))
    const places = await findEverywhere(server(), 'in-the-open-0815')
    expect(places).toContain('pg_dump')
    expect(places.length).toBeGreaterThan(1)
    await store.close()
  })

  it('are shared by servers, also when one of them rotates the data key', async () => {
    const [schema, master] = [freshSchema(), formatMasterKey(createMasterKey())]
    const [a, b] = [await open(server(), schema, master), await open(server(), schema, master)]
    const start = await a.store.now()
    const following = changesUntil(b.store, start, start + 3)
    await commit(a.store, put(secret('a'), '1'))
    expect(text((await b.store.get(secret('a')))?.value)).toBe('1')
    await a.sealer.rotateDataKey()
    const last = await commitOne(a.store, put(secret('a'), '2'))
    const read = await Promise.all(Array.from({ length: 10 }, () => b.store.get(secret('a'))))
    expect(new Set(read.map((entry) => text(entry?.value)))).toEqual(new Set(['2']))
    expect((await b.store.scan({ space: 'secrets' })).entries).toHaveLength(1)
    expect((await following).map((change) => text(change.value)).at(-1)).toBe(last === start + 3 ? '2' : '1')
    await Promise.all([a.store.close(), b.store.close()])
  })

  it('reject a server with another master key, naming both', async () => {
    const schema = freshSchema()
    const [one, other] = [createMasterKey(), createMasterKey()]
    const { store } = await open(server(), schema, formatMasterKey(one))
    await expect(open(server(), schema, formatMasterKey(other))).rejects.toThrow(one.id)
    await store.close()
  })
})

async function open(server: PostgresServer, schema: string, master: string) {
  const sealer = new RingSealer(masterKeyFromText(master, 'a test'))
  const store = await openPostgresStore({ url: server.url(), schema, spaces, sealer, readers: 1 })
  try {
    await sealer.attach(keyRingRecordOf(store))
    return { store, sealer }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Finds a text, plain or in the encodings of a dump. */
async function findEverywhere(server: PostgresServer, planted: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: server.url() })
  await client.connect()
  await client.query('CHECKPOINT')
  await client.end()
  const needles = [planted, Buffer.from(planted).toString('hex'), Buffer.from(planted).toString('base64').slice(0, 20)]
  const holds = (content: Buffer) => needles.some((needle) => content.includes(needle))
  const places = filesUnder(server.dataDirectory).filter((file) => holds(readFileSync(file)))
  if (holds(server.run('pg_dump', ['-h', server.directory, '-U', 'hykube', 'postgres']))) places.push('pg_dump')
  if (holds(Buffer.from(server.output))) places.push('log')
  return places
}

function filesUnder(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
