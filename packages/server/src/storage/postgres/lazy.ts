import type { Store } from '../contract.ts'
import type { PostgresPlace, PostgresStoreOptions } from './postgres-options.ts'
import type { RestorePostgresOptions } from './restore.ts'

// What PostgreSQL takes is loaded when somebody uses it: most servers never do.

/** Opens a store in a PostgreSQL database, making its tables where they are missing. Any number of servers may. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const loaded = await import('./postgres-store.ts')
  return loaded.openPostgresStore(options)
}

/** Fills a database that holds no store yet with a snapshot. Returns the revision it is at. */
export async function restorePostgres(options: RestorePostgresOptions): Promise<number> {
  const loaded = await import('./restore.ts')
  return loaded.restorePostgres(options)
}

/** Tells a database that its own tools restored it, once, before a server starts. Returns the revision it is at. */
export async function restoredPostgresStore(place: PostgresPlace): Promise<number> {
  const { restored } = await import('./restored.ts')
  return restored(place)
}
