import { afterEach, beforeEach, describe } from 'vitest'
import type { Store } from '../contract.ts'
import { describeChanges } from './describe-changes.ts'
import { describeCommits } from './describe-commits.ts'
import { describeCompaction } from './describe-compaction.ts'
import { describeConcurrency } from './describe-concurrency.ts'
import { describeEncryption } from './describe-encryption.ts'
import { describeModel } from './describe-model.ts'
import { describeRanges } from './describe-ranges.ts'
import { describeReads } from './describe-reads.ts'
import { describeReopening } from './describe-reopening.ts'
import { describeSecondServer } from './describe-second-server.ts'
import { type OpenForTest, type StoreUnderTest, testSpaces } from './store-under-test.ts'
import { TestSealer } from './test-sealer.ts'
import type { SuiteOptions, World } from './world.ts'

/** Tests every sentence of the contract for one backend. */
export function describeStore(name: string, open: OpenForTest, options: SuiteOptions = {}): void {
  describe(name, () => {
    const world = prepareWorld(open)
    describeCommits(world)
    describeReads(world)
    describeRanges(world)
    describeChanges(world)
    describeCompaction(world)
    describeConcurrency(world)
    describeEncryption(world)
    if (options.keeps !== false) describeReopening(world)
    if (options.shared === true) describeSecondServer(world)
    describeModel(open, options)
  })
}

function prepareWorld(open: OpenForTest): World {
  let under: StoreUnderTest
  let store: Store
  let sealer: TestSealer
  beforeEach(async () => {
    sealer = new TestSealer()
    under = await open({ spaces: testSpaces, sealer })
    store = under.store
  })
  afterEach(() => under.dispose())
  return {
    get store() {
      return store
    },
    get sealer() {
      return sealer
    },
    get under() {
      return under
    },
    async reopen() {
      store = await under.reopen!()
      return store
    },
  }
}
