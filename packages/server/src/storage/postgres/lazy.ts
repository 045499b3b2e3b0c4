import type { Store } from '../contract.ts'
import type { PostgresPlace, PostgresStoreOptions } from './postgres-options.ts'
import type { RestorePostgresOptions } from './restore.ts'

// The PostgreSQL driver is loaded on first use: most servers never need it.

/** Opens a store in a PostgreSQL database, creating missing tables. Any number of servers may share it. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const loaded = await import('./postgres-store.ts')
  return loaded.openPostgresStore(options)
}

/** Restores a snapshot into a database without a store. Returns its revision. */
export async function restorePostgres(options: RestorePostgresOptions): Promise<number> {
  const loaded = await import('./restore.ts')
  return loaded.restorePostgres(options)
}

/**
 * Prepares a database that was restored with its own tools. Call it once, before a server starts. Returns the revision.
 */
export async function restoredPostgresStore(place: PostgresPlace): Promise<number> {
  const { restored } = await import('./restored.ts')
  return restored(place)
}
