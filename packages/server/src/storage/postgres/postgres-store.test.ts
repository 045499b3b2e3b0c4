import type { Store } from '../contract.ts'
import { describeStore } from '../testing/describe-store.ts'
import { describeWithPostgres, freshSchema } from '../testing/postgres-for-tests.ts'
import { openPostgresStore } from './postgres-store.ts'

describeWithPostgres('PostgreSQL', (server) => {
  describeStore(
    'postgres',
    async (options) => {
      const place = { url: server().url(), schema: freshSchema(), readers: 2 }
      const stores: Store[] = []
      const open = async () => {
        const store = await openPostgresStore({ ...options, ...place })
        stores.push(store)
        return store
      }
      const store = await open()
      return {
        store,
        reopen: async () => {
          await stores.at(-1)!.close()
          return open()
        },
        openSecond: open,
        dispose: async () => {
          await Promise.all(stores.map((each) => each.close()))
        },
      }
    },
    { shared: true, modelRuns: 15 },
  )
})
