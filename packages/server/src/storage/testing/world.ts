import type { Store } from '../contract.ts'
import type { StoreUnderTest } from './store-under-test.ts'
import type { TestSealer } from './test-sealer.ts'

/** What a part of the suite is given: the world of the running test. */
export interface World {
  /** The store of the running test. */
  readonly store: Store
  readonly sealer: TestSealer
  readonly under: StoreUnderTest
  /** Closes the store and opens the same data; the tests that need it are left out where a backend keeps nothing. */
  reopen(): Promise<Store>
}

export interface SuiteOptions {
  /** Whether the backend keeps what it has when it is closed. Default true. */
  readonly keeps?: boolean
  /** Whether several servers may open the same data. Default false. */
  readonly shared?: boolean
  /** How many runs the model-based tests make. Default 30. */
  readonly modelRuns?: number
}
