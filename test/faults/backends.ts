import type { Backend } from './backend.ts'
import { startMemoryBackend } from './memory-backend.ts'
import { startPostgresBackend } from './postgres-backend.ts'
import { startSqliteBackend } from './sqlite-backend.ts'

/** Starts the backend that a `--store` value names, new and empty; a string says why there is none on this machine. */
export async function startBackend(store: string): Promise<Backend | string> {
  switch (store.replace(/:.*$/, '')) {
    case 'memory':
      return startMemoryBackend()
    case 'sqlite':
      return startSqliteBackend()
    case 'postgres':
      return startPostgresBackend()
    default:
      throw new Error(`cannot run faults on ${store}: memory:, sqlite: and postgres: are known`)
  }
}

/** The backends that fault runs know. */
export const faultStores = ['memory:', 'sqlite:', 'postgres:'] as const
