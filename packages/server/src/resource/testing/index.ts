import { openMemoryStore, type Sealer, type Store } from '../../storage/index.ts'
import { resourceSpaces } from '../spaces.ts'

/** A store in memory with the spaces of this room. */
export interface TestStore {
  readonly store: Store
  close(): Promise<void>
}

/** Opens a store for a test; what is encrypted elsewhere is kept as it is here. */
export async function openTestStore(): Promise<TestStore> {
  const store = await openMemoryStore({ spaces: resourceSpaces, sealer: plain })
  return { store, close: () => store.close() }
}

const plain: Sealer = {
  seal: (_key, _revision, bytes) => bytes,
  open: (_key, _revision, bytes) => bytes,
  isCurrent: () => true,
}
