import { encodeKey, openPostgresStore, type Store } from '@hykube/server/storage'
import { findPostgres, PostgresServer } from '@hykube/server/storage/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CuttingProxy } from './cutting-proxy.ts'

const search = findPostgres()
if (search.kind === 'missing') console.warn(`SKIPPED commits whose responses are lost: ${search.reason}`)

describe.skipIf(search.kind === 'missing')(
  `a commit whose response is lost${search.kind === 'missing' ? ' [needs postgres]' : ''}`,
  () => {
    let server: PostgresServer
    let proxy: CuttingProxy
    beforeAll(async () => {
      server = await PostgresServer.start({ bin: search.kind === 'found' ? search.bin : '' })
      proxy = await CuttingProxy.start(server.socketPath)
    })
    afterAll(async () => {
      await proxy.close()
      await server.close()
    })

    it('is found in the log and not repeated', async () => {
      const store = await open('found', 10_000)
      await put(store, 'before')
      const committed = proxy.deafenAtCommit()
      const committing = put(store, 'x')
      await committed
      proxy.restore()
      expect(await committing).toMatchObject({ kind: 'committed', revisions: [2] })
      expect(await store.now()).toBe(2)
      expect(await store.get(key('x'))).toMatchObject({ revision: 2 })
      await store.close()
    })

    it('has an unknown outcome when the database does not return in time', async () => {
      const store = await open('unknown', 500)
      await put(store, 'before')
      const committed = proxy.deafenAtCommit()
      const committing = put(store, 'x')
      await committed
      proxy.cut()
      await expect(committing).rejects.toMatchObject({ failure: 'unknown-outcome' })
      proxy.restore()
      expect(await store.now()).toBe(2)
      expect(await store.get(key('x'))).toMatchObject({ revision: 2 })
      await store.close()
    })

    function open(schema: string, outageTimeout: number): Promise<Store> {
      const url = `postgres://hykube@127.0.0.1:${proxy.port}/postgres`
      return openPostgresStore({ url, schema, outageTimeout, spaces: [{ name: 'a', segments: 1, history: true }] })
    }

    const key = (name: string) => encodeKey('a', [name])
    const put = (store: Store, name: string) =>
      store.commit({ operations: [{ kind: 'put', key: key(name), value: Buffer.from(name) }] })
  },
)
