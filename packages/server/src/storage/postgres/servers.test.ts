import pg from 'pg'
import { expect, it } from 'vitest'
import type { Store } from '../contract.ts'
import { restoreRaise } from '../restored-revision.ts'
import { StorageError } from '../storage-error.ts'
import { describeWithPostgres, freshSchema } from '../testing/postgres-for-tests.ts'
import type { PostgresServer } from '../testing/postgres-server.ts'
import { bytes, changesUntil, commit, commitOne, object, put, remove, text } from '../testing/shorthand.ts'
import { testSpaces } from '../testing/store-under-test.ts'
import { TestSealer } from '../testing/test-sealer.ts'
import type { PostgresStoreOptions } from './postgres-options.ts'
import { openPostgresStore } from './postgres-store.ts'
import { restored } from './restored.ts'

describeWithPostgres('servers on one PostgreSQL database', (server) => {
  it('complete a thousand concurrent commits without an error', async () => {
    await using store = await open(server())
    const outcomes = await Promise.all(
      Array.from({ length: 3_000 }, (_, at) => commitOne(store, put(object(`n${at}`), 'x', { expect: 'absent' }))),
    )
    expect([...outcomes].sort((a, b) => a - b)).toEqual(Array.from({ length: 3_000 }, (_, at) => at + 1))
  })

  it('lose no acknowledged commit when the database is killed and restarted', async () => {
    const schema = freshSchema()
    await using a = await open(server(), { schema })
    await using b = await open(server(), { schema })
    const writers = [a, b].map((store, index) => writeUntilStopped(store, `w${index}-`))
    const followed = changesUntil(a, 0, 400)
    for (let kill = 0; kill < 3; kill++) {
      await enough(writers, 100 * (kill + 1))
      await server().kill()
      await server().start()
    }
    await enough(writers, 400)
    const written = await Promise.all(writers.map((writer) => writer.stop()))
    for (const { acknowledged, failures } of written) {
      expect(failures).toEqual([])
      for (const [name, revision] of acknowledged) expect(await b.get(object(name))).toMatchObject({ revision })
    }
    expect((await followed).slice(0, 400).map((change) => change.revision)).toEqual(upTo(400))
  })

  it('get definite results when their connections are terminated repeatedly', async () => {
    const schema = freshSchema()
    await using store = await open(server(), { schema })
    const writer = writeUntilStopped(store, 'n')
    const client = new pg.Client({ connectionString: server().url() })
    await client.connect()
    for (let time = 1; time <= 20; time++) {
      await enough([writer], time * 20)
      await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'hykube %' AND pid <> pg_backend_pid()",
      )
    }
    await client.end()
    const { acknowledged, failures } = await writer.stop()
    expect(failures).toEqual([])
    expect(await store.count({ space: 'objects' })).toBe(acknowledged.size)
    expect(await store.now()).toBe(acknowledged.size)
  })

  it('fail with unavailable while the database is down, and continue when it is back', async () => {
    await using store = await open(server(), { outageTimeout: 300 })
    const before = await commitOne(store, put(object('a'), '1'))
    await server().stop()
    await expect(commit(store, put(object('a'), '2'))).rejects.toMatchObject({ failure: 'unavailable' })
    await expect(store.get(object('a'))).rejects.toMatchObject({ failure: 'unavailable' })
    await server().start()
    expect(await store.get(object('a'))).toMatchObject({ revision: before })
    expect(await commitOne(store, put(object('a'), '2', { expect: before }))).toBe(before + 1)
  })

  it('see each other’s changes without notifications', async () => {
    const client = new pg.Client({ connectionString: server().url() })
    await client.connect()
    await client.query('CREATE ROLE quiet LOGIN; GRANT CREATE ON DATABASE postgres TO quiet')
    await client.query('REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC')
    try {
      const place = { url: server().url().replace('hykube@', 'quiet@'), schema: freshSchema() }
      await using a = await open(server(), place)
      await using b = await open(server(), place)
      const following = changesUntil(b, 0, 3)
      for (let at = 0; at < 3; at++) await commit(a, put(object(`n${at}`), 'x'))
      expect((await following).map((change) => change.revision)).toEqual([1, 2, 3])
    } finally {
      await client.query('GRANT EXECUTE ON FUNCTION pg_notify(text, text) TO PUBLIC')
      await client.end()
    }
  })

  it('are rejected by a read-only server', async () => {
    const url = `${server().url()}&options=${encodeURIComponent('-c default_transaction_read_only=on')}`
    await expect(open(server(), { url })).rejects.toMatchObject({ failure: 'unavailable' })
    await expect(open(server(), { url })).rejects.toThrow('standby or read-only')
  })

  it('reject tables of another layout, and invalid schema names', async () => {
    const schema = freshSchema()
    await (await open(server(), { schema })).close()
    const client = new pg.Client({ connectionString: server().url() })
    await client.connect()
    await client.query(`UPDATE ${schema}.counter SET layout = 99`)
    await client.end()
    await expect(open(server(), { schema })).rejects.toThrow('has layout 99, but this program supports 1')
    await expect(open(server(), { schema: 'x; DROP TABLE y' })).rejects.toMatchObject({ failure: 'invalid' })
  })

  it('can open an empty database at the same time', async () => {
    const schema = freshSchema()
    const stores = await Promise.all(Array.from({ length: 5 }, () => open(server(), { schema, readers: 1 })))
    await Promise.all(stores.map((store, index) => commit(store, put(object(`n${index}`), 'x'))))
    expect(await stores[0]!.count({ space: 'objects' })).toBe(5)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('continue far above their revision after the database’s own tools restored it', async () => {
    const schema = freshSchema()
    const before = await open(server(), { schema })
    const first = await commitOne(before, put(object('a'), '1'))
    await commit(before, put(object('a'), '2'), put(object('b'), '1'))
    const last = await commitOne(before, remove(object('b')))
    await before.close()
    expect(await restored({ url: server().url(), schema })).toBe(last + restoreRaise)
    await using after = await open(server(), { schema })
    expect(text((await after.get(object('a')))?.value)).toBe('2')
    expect(await after.get(object('b'))).toBeUndefined()
    await expect(after.get(object('a'), { revision: first })).rejects.toMatchObject({ failure: 'expired' })
    await expect(changesUntil(after, last, last + 1)).rejects.toMatchObject({ failure: 'expired' })
    expect(await commitOne(after, put(object('b'), '2', { expect: 'absent' }))).toBe(last + restoreRaise + 1)
    await after.compact(await after.now())
    expect((await after.scan({ space: 'objects' })).entries).toHaveLength(2)
  })

  it('read the history of a key with ten thousand changes', async () => {
    await using store = await open(server())
    const first = await commitOne(store, put(object('a'), 'first'))
    await Promise.all(Array.from({ length: 10_000 }, (_, at) => commit(store, put(object('a'), String(at)))))
    expect(text((await store.get(object('a'), { revision: first }))?.value)).toBe('first')
    const page = await store.scan({ space: 'objects' }, { revision: first })
    expect(page.entries.map(({ value }) => text(value))).toEqual(['first'])
    await store.compact(await store.now())
    expect((await store.statistics()).keys).toBe(1)
  })

  it('send large values to followers a few at a time', async () => {
    await using store = await open(server())
    const value = Buffer.alloc(2 * 1024 * 1024, 'x')
    for (let at = 0; at < 8; at++) {
      await store.commit({ operations: [{ kind: 'put', key: object(`n${at}`), value }] })
    }
    await store.commit({
      operations: [1, 2].map((at) => ({ kind: 'put', key: object(`g${at}`), value: bytes(String(at)) })),
    })
    const sizes: number[] = []
    for await (const batch of store.changes(0)) {
      sizes.push(batch.changes.length)
      if (batch.revision >= 10) break
    }
    expect(sizes.slice(0, 8)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
    expect(sizes.reduce((sum, size) => sum + size)).toBe(10)
  })
})

describeWithPostgres(
  'a PostgreSQL server without fsync',
  (server) => {
    it('is rejected', async () => {
      await expect(open(server())).rejects.toThrow('fsync=off')
    })
  },
  { settings: { fsync: 'off' } },
)

async function open(
  server: PostgresServer,
  options: Partial<PostgresStoreOptions> = {},
): Promise<Store & AsyncDisposable> {
  const place = { url: server.url(), schema: freshSchema(), readers: 2 }
  const store = await openPostgresStore({ spaces: testSpaces, sealer: new TestSealer(), ...place, ...options })
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() })
}

interface Writer {
  readonly count: () => number
  readonly next: () => Promise<void>
  stop(): Promise<{ readonly acknowledged: ReadonlyMap<string, number>; readonly failures: readonly string[] }>
}

/** Creates keys from eight clients until it is stopped, and records acknowledged and failed ones. */
function writeUntilStopped(store: Store, prefix: string): Writer {
  const acknowledged = new Map<string, number>()
  const failures: string[] = []
  let [next, stopped] = [0, false]
  let arrived = () => {}
  const one = async () => {
    while (!stopped) {
      const name = `${prefix}${next++}`
      try {
        acknowledged.set(name, await commitOne(store, put(object(name), 'x', { expect: 'absent' })))
      } catch (error) {
        failures.push(error instanceof StorageError ? `${error.failure}: ${error.message}` : String(error))
      }
      arrived()
    }
  }
  const working = Promise.all(Array.from({ length: 8 }, one))
  return {
    count: () => acknowledged.size,
    next: () =>
      new Promise((resolve) => {
        arrived = resolve
      }),
    async stop() {
      stopped = true
      await working
      return { acknowledged, failures }
    },
  }
}

async function enough(writers: readonly Writer[], count: number): Promise<void> {
  const total = () => writers.reduce((sum, writer) => sum + writer.count(), 0)
  while (total() < count) await Promise.race(writers.map((writer) => writer.next()))
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1)
}
