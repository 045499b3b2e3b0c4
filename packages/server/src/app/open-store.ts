import { openMemoryStore, type Sealer, type Space, type Store } from '../storage/index.ts'
import type { CompleteServeOptions } from './serve-options.ts'

/** Opens the store that a URL names. */
export async function openStore(
  options: CompleteServeOptions,
  spaces: readonly Space[],
  sealer: Sealer,
): Promise<Store> {
  const { store } = options
  if (store === 'memory:') return openMemoryStore({ spaces, sealer })
  throw new Error(`--store is ${JSON.stringify(store)}, and must be sqlite:, sqlite:///FILE, postgres://… or memory:`)
}
