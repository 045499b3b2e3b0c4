import type { Store } from '../contract.ts'
import type { StoreUnderTest } from './store-under-test.ts'
import type { TestSealer } from './test-sealer.ts'

/** Environment of a running test, passed to the parts of the suite. */
export interface World {
  /** Store of the running test. */
  readonly store: Store
  readonly sealer: TestSealer
  readonly under: StoreUnderTest
  /** Closes the store and opens the same data; tests that need it are left out for backends without persistence. */
  reopen(): Promise<Store>
}

export interface SuiteOptions {
  /** True when the backend persists data. Default true. */
  readonly keeps?: boolean
  /** True when several servers may open the same data. Default false. */
  readonly shared?: boolean
  /** Number of runs of the model-based tests. Default 30. */
  readonly modelRuns?: number
}
