import { join } from 'node:path'
import {
  keyRingRecordOf,
  keyRingSpace,
  type MasterKeySource,
  masterKeyFromCommand,
  masterKeyFromFile,
  masterKeyFromText,
  masterKeyInFile,
  openMemoryStore,
  openPostgresStore,
  openSqliteStore,
  RingSealer,
  restoreMarkSpace,
  type Sealer,
  type Space,
  type Store,
} from '../storage/index.ts'
import type { Logger } from './logs/logger.ts'
import { type CompleteServeOptions, defaultStoreFile } from './serve-options.ts'

/** Opens the store of `--store` and attaches its key ring. */
export async function openStore(
  options: CompleteServeOptions,
  spaces: readonly Space[],
  logger: Logger,
  replaced: (failure: Error) => void,
): Promise<{ readonly store: Store; readonly sealer: RingSealer }> {
  const sealer = new RingSealer(masterKeyOf(options, { mayCreate: true }))
  const store = await openBackend(options, [...spaces, keyRingSpace, restoreMarkSpace], sealer, logger, replaced)
  try {
    await sealer.attach(keyRingRecordOf(store))
    return { store, sealer }
  } catch (error) {
    // Open connections would keep the process alive.
    await store.close()
    throw error
  }
}

/** True when several servers may open the store at the same time. */
export function isShared({ store }: CompleteServeOptions): boolean {
  return isPostgres(store)
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url)
}

/** Returns the source of the master key: a file, a command or the environment; otherwise a file in the data directory. */
export function masterKeyOf(
  { masterKeyFile, masterKeyCommand, dataDirectory }: CompleteServeOptions,
  { mayCreate }: { readonly mayCreate: boolean },
): MasterKeySource {
  const { HYKUBE_MASTER_KEY } = process.env
  if (masterKeyFile !== '') return masterKeyFromFile(masterKeyFile)
  if (masterKeyCommand !== '') {
    const [program = '', ...args] = masterKeyCommand.split(' ').filter((word) => word !== '')
    return masterKeyFromCommand(program, args)
  }
  if (HYKUBE_MASTER_KEY !== undefined)
    return masterKeyFromText(HYKUBE_MASTER_KEY, 'the environment variable HYKUBE_MASTER_KEY')
  const file = join(dataDirectory, 'master.key')
  return mayCreate ? masterKeyInFile(file) : masterKeyFromFile(file)
}

/** Returns the file of a SQLite store. */
export function sqliteFileOf({ store, dataDirectory }: CompleteServeOptions): string {
  if (store === 'sqlite:') return defaultStoreFile(dataDirectory)
  if (store.startsWith('sqlite:///')) return store.slice('sqlite://'.length)
  throw unsupported(store, 'sqlite:, sqlite:///FILE or postgres://…')
}

async function openBackend(
  options: CompleteServeOptions,
  spaces: readonly Space[],
  sealer: Sealer,
  logger: Logger,
  replaced: (failure: Error) => void,
): Promise<Store> {
  const { store: url } = options
  const shared = { spaces, sealer, replaced, report: (message: string) => logger.info(message) }
  if (url === 'memory:') return openMemoryStore(shared)
  if (url === 'sqlite:' || url.startsWith('sqlite:///'))
    return openSqliteStore({ ...shared, file: sqliteFileOf(options) })
  if (isPostgres(url)) {
    checkPostgresUrl(url)
    return openPostgresStore({ ...shared, url })
  }
  throw unsupported(url, 'sqlite:, sqlite:///FILE, postgres://… or memory:')
}

// The client of PostgreSQL allows an empty host, which URL does not.
function checkPostgresUrl(url: string): void {
  if (URL.canParse(url.replace('@/', '@host/'))) return
  throw new Error(
    'cannot parse the URL of --store: use postgres://USER:PASSWORD@HOST/DATABASE, and encode characters such as / # ? @ of the password (%2F %23 %3F %40)',
  )
}

// Shows only the scheme, because the URL may contain a password.
function unsupported(url: string, supported: string): Error {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0]
  return new Error(`--store ${scheme ?? 'without a scheme'} is not supported; use ${supported}`)
}
