import {
  keyRingRecordOf,
  keyRingSpace,
  masterKeyFromText,
  openMemoryStore,
  openPostgresStore,
  openSqliteStore,
  RingSealer,
  type Store,
} from '@hykube/server/storage'
import { faultSpaces } from './store-protocol.ts'

/** Opens the store of a URL with the spaces of fault runs, and with short timeouts so that faults take effect. */
export async function openFaultStore(url: string): Promise<Store> {
  const sealer = new RingSealer(masterKeyFromText(Buffer.alloc(32, 7).toString('base64'), 'the fault harness'))
  const options = { spaces: [...faultSpaces, keyRingSpace], sealer }
  const store = await openBackend(url, options)
  await sealer.attach(keyRingRecordOf(store))
  return store
}

type Options = Parameters<typeof openMemoryStore>[0]

async function openBackend(url: string, options: Options): Promise<Store> {
  const kind = url.slice(0, url.indexOf(':'))
  switch (kind) {
    case 'memory':
      return openMemoryStore(options)
    case 'sqlite':
      return openSqliteStore({
        ...options,
        file: url.slice('sqlite://'.length),
        softWalBytes: 2 ** 20,
        hardWalBytes: 2 ** 24,
      })
    case 'postgres':
      return openPostgresStore({
        ...options,
        url,
        readers: 2,
        outageTimeout: 1_500,
        statementTimeout: 4_000,
        poll: 200,
      })
    default:
      throw new Error(`unknown store ${url}`)
  }
}
