import type { Space, Store } from '../contract.ts'
import type { OpenOptions } from '../open-options.ts'

/** An empty store for one test, with the operations of its environment. */
export interface StoreUnderTest {
  readonly store: Store
  /** Closes the store and opens the same data again. Absent for backends without persistence. */
  readonly reopen?: () => Promise<Store>
  /** Opens the same data a second time, as another server would. Absent where that is not allowed. */
  readonly openSecond?: () => Promise<Store>
  /** Closes everything and removes the data. */
  dispose(): Promise<void>
}

/** Creates a store; called for each test. */
export type OpenForTest = (options: OpenOptions) => Promise<StoreUnderTest>

/** The spaces of the suite, one of every sort. */
export const testSpaces: readonly Space[] = [
  { name: 'objects', segments: 4, history: true, skip: 3 },
  { name: 'object', segments: 4, history: true },
  { name: 'objects2', segments: 1, history: true },
  { name: 'marks', segments: 2, history: false, skip: 1 },
  { name: 'secrets', segments: 1, history: true, encrypted: true },
]
