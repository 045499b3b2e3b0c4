import type { Backend } from './backend.ts'
import { startMemoryBackend } from './memory-backend.ts'
import { startPostgresBackend } from './postgres-backend.ts'
import { startSqliteBackend } from './sqlite-backend.ts'

/** Starts a new, empty backend for a `--store` value; returns the reason when this machine can't run it. */
export async function startBackend(store: string): Promise<Backend | string> {
  switch (store.replace(/:.*$/, '')) {
    case 'memory':
      return startMemoryBackend()
    case 'sqlite':
      return startSqliteBackend()
    case 'postgres':
      return startPostgresBackend()
    default:
      throw new Error(`cannot run faults on ${store}: use memory:, sqlite: or postgres:`)
  }
}

/** Backends that fault runs support. */
export const faultStores = ['memory:', 'sqlite:', 'postgres:'] as const
