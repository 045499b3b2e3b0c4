import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenOptions } from '../open-options.ts'
import { describeStore } from '../testing/describe-store.ts'
import type { StoreUnderTest } from '../testing/store-under-test.ts'
import type { SqliteDriverName } from './drivers/driver.ts'
import { openSqliteStore } from './sqlite-store.ts'

for (const driver of ['node:sqlite', 'better-sqlite3'] as const) {
  describeStore(`sqlite through ${driver}`, (options) => openForTest(options, driver))
}

async function openForTest(options: OpenOptions, driver: SqliteDriverName): Promise<StoreUnderTest> {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-sqlite-'))
  const open = () => openSqliteStore({ ...options, driver, file: join(directory, 'data.db') })
  let store = await open()
  return {
    store,
    async reopen() {
      await store.close()
      store = await open()
      return store
    },
    async dispose() {
      await store.close()
      rmSync(directory, { recursive: true })
    },
  }
}
