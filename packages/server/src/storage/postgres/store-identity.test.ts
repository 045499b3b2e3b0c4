import pg from 'pg'
import { expect, it } from 'vitest'
import type { Store } from '../contract.ts'
import type { StorageError } from '../storage-error.ts'
import { describeWithPostgres, freshSchema } from '../testing/postgres-for-tests.ts'
import type { PostgresServer } from '../testing/postgres-server.ts'
import { commit, commitOne, mark, object, put, remove } from '../testing/shorthand.ts'
import { testSpaces } from '../testing/store-under-test.ts'
import { TestSealer } from '../testing/test-sealer.ts'
import { openPostgresStore } from './postgres-store.ts'
import { restored } from './restored.ts'

describeWithPostgres('a PostgreSQL store whose database is replaced while it is open', (server) => {
  const replacements: readonly (readonly [string, string, (schema: string, dump: Buffer) => Promise<void>])[] = [
    [
      'dropped and loaded from a dump',
      'its revision went back from 5 to 3',
      async (schema, dump) => psql(server(), `BEGIN; DROP SCHEMA ${schema} CASCADE; ${dump}; COMMIT`),
    ],
    [
      'dropped, loaded from a dump and written further than before',
      'it has another incarnation',
      async (schema, dump) => {
        await psql(
          server(),
          `BEGIN; DROP SCHEMA ${schema} CASCADE; ${dump}; UPDATE ${schema}.counter SET revision = 50; COMMIT`,
        )
      },
    ],
    [
      'restored with `restore --by-database`',
      'it has another incarnation',
      async (schema) => void (await restored({ url: server().url(), schema })),
    ],
    ['dropped', 'its tables are missing', async (schema) => psql(server(), `DROP SCHEMA ${schema} CASCADE`)],
    ['emptied', 'its counter is missing', async (schema) => psql(server(), `TRUNCATE ${schema}.counter`)],
    [
      'rolled back in place',
      'its revision went back from 5 to 2',
      async (schema) => psql(server(), `UPDATE ${schema}.counter SET revision = 2`),
    ],
    [
      'emptied except for its counter',
      'its newest change is missing',
      async (schema) => psql(server(), `TRUNCATE ${schema}.current, ${schema}.log`),
    ],
    [
      'emptied of its keys',
      'its newest change is missing',
      async (schema) => psql(server(), `TRUNCATE ${schema}.current`),
    ],
    [
      'emptied of its log, after a full compaction',
      'its newest change is missing',
      async (schema) => {
        await compactAll(server(), schema)
        await psql(server(), `DELETE FROM ${schema}.log`)
      },
    ],
    [
      'replaced by a physical copy that another server wrote further',
      'it does not have the commit at revision 5',
      async (schema) => exchangeForFork(server(), schema, async () => {}),
    ],
    [
      'replaced by a physical copy that was written further and compacted',
      'it does not have the commit at revision 5',
      async (schema) => exchangeForFork(server(), schema, async (store) => void (await store.compact(10))),
    ],
  ]

  it.each(replacements)('%s: ends followers, commits and reads', async (name, why, replace) => {
    const schema = freshSchema()
    const { store, replaced } = await open(server(), schema)
    for (let at = 1; at <= 3; at++) await commit(store, put(object(`n${at}`), 'x'))
    const dump = dumpOf(server(), schema)
    if (name.includes('physical copy')) copies.set(schema, await server().startCopy())
    for (let at = 4; at <= 5; at++) await commit(store, put(object(`n${at}`), 'x'))
    const following = store.changes(5)[Symbol.asyncIterator]().next()
    const ended = expect(following).rejects.toMatchObject({ failure: 'replaced' })
    await replace(schema, dump)
    expect((await replaced).message).toContain(why)
    await ended
    const rejection = { failure: 'replaced', message: expect.stringContaining('restart the server') }
    await expect(commit(store, put(object('a'), '1'))).rejects.toMatchObject(rejection)
    await expect(store.get(object('n1'))).rejects.toMatchObject(rejection)
    await expect(store.now()).rejects.toMatchObject(rejection)
    await store.close()
  })

  it('a commit detects it before any poll, and changes nothing', async () => {
    const schema = freshSchema()
    const { store } = await open(server(), schema, 600_000)
    for (let at = 1; at <= 3; at++) await commit(store, put(object(`n${at}`), 'x'))
    await psql(server(), `UPDATE ${schema}.counter SET revision = 1`)
    await expect(commit(store, put(object('a'), '1'))).rejects.toMatchObject({ failure: 'replaced' })
    await store.close()
    const again = await open(server(), schema)
    expect(await again.store.now()).toBe(1)
    expect(await again.store.get(object('a'))).toBeUndefined()
    await again.store.close()
  })

  it.each(['TRUNCATE $.log, $.current', 'UPDATE $.batch SET token = 7; UPDATE $.counter SET token = 7'])(
    'a commit detects %s before any poll, and changes nothing',
    async (sql) => {
      const schema = freshSchema()
      const { store } = await open(server(), schema, 600_000)
      for (let at = 1; at <= 3; at++) await commit(store, put(object(`n${at}`), 'x'))
      await psql(server(), sql.replaceAll('$', schema))
      await expect(commit(store, put(object('a'), '1'))).rejects.toMatchObject({ failure: 'replaced' })
      await store.close()
      const again = await open(server(), schema)
      expect(await again.store.now()).toBe(3)
      await again.store.close()
    },
  )

  it('is not reported as replaced while several servers write, delete and compact it', async () => {
    const schema = freshSchema()
    const servers = await Promise.all([1, 2, 3].map(() => open(server(), schema, 5)))
    const following = servers.map(({ store }) => store.changes(0)[Symbol.asyncIterator]())
    for (const each of following) void each.next().catch(() => {})
    for (let round = 0; round < 12; round++) {
      await Promise.all(
        servers.map(async ({ store }, at) => {
          const key = round % 3 === 0 ? mark(`n${at}`) : object(`n${at}`)
          await commit(store, put(key, 'x'))
          await commit(store, remove(key))
          await store.compact(await store.now())
        }),
      )
      // Batches older than an hour are deleted by the next compaction, except the newest.
      if (round % 6 === 3) await psql(server(), `UPDATE ${schema}.batch SET made = made - interval '1 day'`)
      for (const { store } of servers) await store.now()
    }
    await Promise.all(servers.map(({ store }) => store.close()))
  })

  it('a notification of a server that opened the other database is enough', async () => {
    const schema = freshSchema()
    const { store, replaced } = await open(server(), schema, 600_000)
    await commit(store, put(object('a'), '1'))
    const dump = dumpOf(server(), schema)
    await psql(server(), `BEGIN; DROP SCHEMA ${schema} CASCADE; ${dump}; COMMIT`)
    const second = await open(server(), schema)
    const following = store.changes(1)[Symbol.asyncIterator]().next()
    const ended = expect(following).rejects.toMatchObject({ failure: 'replaced' })
    await commit(second.store, put(object('b'), '1'))
    expect((await replaced).message).toContain('it has another incarnation')
    await ended
    await Promise.all([store.close(), second.store.close()])
  })

  it('a store of an earlier version gets an incarnation when it is opened', async () => {
    const schema = freshSchema()
    const before = await open(server(), schema)
    const revision = await commitOne(before.store, put(object('a'), '1'))
    await before.store.close()
    await psql(
      server(),
      `ALTER TABLE ${schema}.counter DROP COLUMN incarnation, DROP COLUMN batch, DROP COLUMN token, DROP COLUMN logged; DROP TABLE ${schema}.batch`,
    )
    const [first, second] = await Promise.all([open(server(), schema), open(server(), schema)])
    expect(await first.store.get(object('a'))).toMatchObject({ revision })
    await commit(first.store, put(object('a'), '2'))
    await commit(second.store, put(object('a'), '3'))
    await Promise.all([first.store.close(), second.store.close()])
  })
})

/** Copies of the server's files at revision 3, by the schema of the test. */
const copies = new Map<string, PostgresServer>()

async function exchangeForFork(server: PostgresServer, schema: string, further: (store: Store) => Promise<void>) {
  const copy = copies.get(schema)!
  const { store } = await open(copy, schema)
  for (let at = 4; at <= 10; at++) await commit(store, put(object('other'), 'x'))
  await further(store)
  await store.close()
  await server.exchangeFor(copy)
  await copy.close()
}

async function compactAll(server: PostgresServer, schema: string): Promise<void> {
  const { store } = await open(server, schema)
  await store.compact(await store.now())
  await store.close()
}

async function open(server: PostgresServer, schema: string, poll = 50) {
  const { promise: replaced, resolve } = Promise.withResolvers<StorageError>()
  const place = { url: server.url(), schema, poll, readers: 2 }
  const store = await openPostgresStore({ ...place, spaces: testSpaces, sealer: new TestSealer(), replaced: resolve })
  return { store, replaced }
}

function dumpOf(server: PostgresServer, schema: string): Buffer {
  const dump = server.run('pg_dump', ['-h', server.directory, '-U', 'hykube', '--inserts', '-n', schema, 'postgres'])
  // Newer versions of pg_dump write commands for psql into the dump.
  return Buffer.from(dump.toString().replace(/^\\.*$/gm, ''))
}

async function psql(server: PostgresServer, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url() })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
