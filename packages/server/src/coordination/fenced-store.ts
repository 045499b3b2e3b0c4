import { type Condition, compareKeys, type Store } from '../storage/index.ts'

/** A write came from a term that is over: another server has the lease by now, and decides whatever was open. */
export class FencedOff extends Error {
  constructor() {
    super('another server has taken over: nothing of this term is written any more')
    this.name = 'FencedOff'
  }
}

/**
 * A store as the holder of a lease writes to it: every commit carries the lease's fence, and fails with {@link FencedOff} once the
 * lease has passed on, however long the writer was asleep. Reads are as ever. Closing it is the business of whoever opened the store.
 */
export function fencedStore(store: Store, fence: Condition): Store {
  return {
    spaces: store.spaces,
    commit: async (group) => {
      const outcome = await store.commit({ ...group, conditions: [...(group.conditions ?? []), fence] })
      if (outcome.kind === 'refused' && outcome.failures.some(({ key }) => compareKeys(key, fence.key) === 0))
        throw new FencedOff()
      return outcome
    },
    get: (key, options) => store.get(key, options),
    scan: (range, options) => store.scan(range, options),
    scanJoined: (range, options) => store.scanJoined(range, options),
    count: (range) => store.count(range),
    now: () => store.now(),
    changes: (after, options) => store.changes(after, options),
    compact: (revision) => store.compact(revision),
    statistics: () => store.statistics(),
    snapshot: () => store.snapshot(),
    rotate: (signal) => store.rotate(signal),
    close: async () => {},
  }
}
