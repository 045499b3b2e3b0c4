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
import type { Logger } from './logger.ts'
import { type CompleteServeOptions, defaultStoreFile } from './serve-options.ts'

/** Opens the store that `--store` names, with the key that encrypts secrets. */
export async function openStore(
  options: CompleteServeOptions,
  spaces: readonly Space[],
  logger: Logger,
  replaced: (failure: Error) => void,
): Promise<{ readonly store: Store; readonly sealer: RingSealer }> {
  const sealer = new RingSealer(masterKeyOf(options, { mayMake: true }))
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

/** Whether several servers may have the store open together. */
export function isShared({ store }: CompleteServeOptions): boolean {
  return isPostgres(store)
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url)
}

/** Where the master key is: the environment, a file or a command of the operator; otherwise the server's own file. */
export function masterKeyOf(
  { masterKeyFile, masterKeyCommand, dataDirectory }: CompleteServeOptions,
  { mayMake }: { readonly mayMake: boolean },
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
  return mayMake ? masterKeyInFile(file) : masterKeyFromFile(file)
}

/** The file of a store that is one. */
export function sqliteFileOf({ store, dataDirectory }: CompleteServeOptions): string {
  if (store === 'sqlite:') return defaultStoreFile(dataDirectory)
  if (store.startsWith('sqlite:///')) return store.slice('sqlite://'.length)
  throw new Error(`--store is ${JSON.stringify(store)}, and must be sqlite:, sqlite:///FILE or postgres://…`)
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
  if (isPostgres(url)) return openPostgresStore({ ...shared, url })
  throw new Error(`--store is ${JSON.stringify(url)}, and must be sqlite:, sqlite:///FILE, postgres://… or memory:`)
}
