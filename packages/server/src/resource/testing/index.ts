import { openMemoryStore, type Sealer, type Store } from '../../storage/index.ts'
import { resourceSpaces } from '../spaces.ts'

/** An in-memory store with all object spaces. */
export interface TestStore {
  readonly store: Store
  close(): Promise<void>
}

/** Opens a store for a test; values are not encrypted. */
export async function openTestStore(): Promise<TestStore> {
  const store = await openMemoryStore({ spaces: resourceSpaces, sealer: plain })
  return { store, close: () => store.close() }
}

const plain: Sealer = {
  seal: (_key, _revision, bytes) => bytes,
  open: (_key, _revision, bytes) => bytes,
  isCurrent: () => true,
}
