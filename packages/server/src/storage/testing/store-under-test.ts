import type { Space, Store } from '../contract.ts'
import type { OpenOptions } from '../open-options.ts'

/** A fresh, empty store for one test, and what can be done to it from outside. */
export interface StoreUnderTest {
  readonly store: Store
  /** Closes the store and opens the same data again. Backends that keep nothing leave it out. */
  readonly reopen?: () => Promise<Store>
  /** Opens the same data once more beside the store, as a second server would. Only where that is allowed. */
  readonly openSecond?: () => Promise<Store>
  /** Closes whatever is open and removes the data. */
  dispose(): Promise<void>
}

/** Makes one. Called for each test. */
export type OpenForTest = (options: OpenOptions) => Promise<StoreUnderTest>

/** Spaces of every sort: the suite's world. */
export const testSpaces: readonly Space[] = [
  { name: 'objects', segments: 4, history: true, skip: 3 },
  { name: 'object', segments: 4, history: true },
  { name: 'objects2', segments: 1, history: true },
  { name: 'marks', segments: 2, history: false, skip: 1 },
  { name: 'secrets', segments: 1, history: true, encrypted: true },
]
