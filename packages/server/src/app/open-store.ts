import { join } from 'node:path'
import {
  keyRingRecordOf,
  keyRingSpace,
  masterKeyInFile,
  openMemoryStore,
  openPostgresStore,
  openSqliteStore,
  RingSealer,
  type Sealer,
  type Space,
  type Store,
} from '../storage/index.ts'
import type { Logger } from './logger.ts'
import { type CompleteServeOptions, defaultStoreFile } from './serve-options.ts'

/** Opens the store that `--store` names, with the key that encrypts secrets. */
export async function openStore(
  options: CompleteServeOptions,
  spaces: readonly Space[],
  logger: Logger,
): Promise<Store> {
  const sealer = new RingSealer(masterKeyInFile(join(options.dataDirectory, 'master.key')))
  const store = await openBackend(options, [...spaces, keyRingSpace], sealer, logger)
  await sealer.attach(keyRingRecordOf(store))
  return store
}

async function openBackend(
  options: CompleteServeOptions,
  spaces: readonly Space[],
  sealer: Sealer,
  logger: Logger,
): Promise<Store> {
  const { store: url, dataDirectory } = options
  const shared = { spaces, sealer, report: (message: string) => logger.info(message) }
  if (url === 'memory:') return openMemoryStore(shared)
  if (url === 'sqlite:') return openSqliteStore({ ...shared, file: defaultStoreFile(dataDirectory) })
  if (url.startsWith('sqlite:///')) return openSqliteStore({ ...shared, file: url.slice('sqlite://'.length) })
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgresStore({ ...shared, url })
  throw new Error(`--store is ${JSON.stringify(url)}, and must be sqlite:, sqlite:///FILE, postgres://… or memory:`)
}
