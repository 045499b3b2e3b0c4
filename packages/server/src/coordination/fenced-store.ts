import { type Condition, compareKeys, type Store } from '../storage/index.ts'

/** A write of a server whose lease has passed to another server, which now decides everything that was pending. */
export class FencedOff extends Error {
  constructor() {
    super('another server has taken over the lease: writes of this server are rejected')
    this.name = 'FencedOff'
  }
}

/**
 * A store for the holder of a lease: every commit carries the lease's fence as a condition and fails with {@link
 * FencedOff} once the lease has passed on, even if the writer was suspended for a long time. Reads are not fenced.
 * Closing it does nothing; the store's owner closes the store.
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
    rotate: (options) => store.rotate(options),
    close: async () => {},
  }
}
