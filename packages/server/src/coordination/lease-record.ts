import type { Condition, Operation, Revision, Space, Store } from '../storage/index.ts'
import { encodeKey } from '../storage/index.ts'

/** Storage space of leases: (name, part). */
export const leaseSpace: Space = { name: 'leases', segments: 2, history: false }

/**
 * Stored state of a lease, in two parts. The fence is written when the lease is taken and stays unchanged while it is
 * held: its revision identifies the term, so a commit can use it as a condition. The heartbeat is rewritten
 * periodically to show that the holder is alive.
 */
export interface LeaseRecord {
  /** Undefined when the lease is free. */
  readonly fence: Revision | undefined
  readonly beat: Revision | undefined
}

export async function readLease(store: Store, name: string): Promise<LeaseRecord> {
  const [fence, beat] = await Promise.all([store.get(fenceKey(name)), store.get(heartbeatKey(name))])
  return { fence: fence?.revision, beat: beat?.revision }
}

/** Takes a lease if its state is still as `seen`; returns undefined when it changed. */
export async function takeLease(
  store: Store,
  name: string,
  seen: LeaseRecord,
  holder: string,
): Promise<{ readonly fence: Revision; readonly beat: Revision } | undefined> {
  const value = new TextEncoder().encode(holder)
  const outcome = await store.commit({
    operations: [
      { kind: 'put', key: fenceKey(name), value, expect: seen.fence ?? 'absent' },
      { kind: 'put', key: heartbeatKey(name), value, expect: seen.beat ?? 'absent' },
    ],
  })
  if (outcome.kind === 'refused') return undefined
  const [fence, beat] = outcome.revisions
  return { fence: fence!, beat: beat! }
}

/** Writes a heartbeat; returns false when the lease has passed to another holder. */
export async function renewLease(store: Store, name: string, fence: Revision, holder: string): Promise<boolean> {
  const value = new TextEncoder().encode(holder)
  const operation: Operation = { kind: 'put', key: heartbeatKey(name), value }
  const outcome = await store.commit({ operations: [operation], conditions: [fenceCondition(name, fence)] })
  return outcome.kind === 'committed'
}

/** Releases a lease unless it has passed to another holder. */
export async function releaseLease(store: Store, name: string, fence: Revision): Promise<void> {
  await store.commit({
    operations: [
      { kind: 'delete', key: fenceKey(name), expect: fence },
      { kind: 'delete', key: heartbeatKey(name) },
    ],
  })
}

/** Condition that is true as long as the lease has not passed on. */
export function fenceCondition(name: string, fence: Revision): Condition {
  return { key: fenceKey(name), expect: fence }
}

function fenceKey(name: string) {
  return encodeKey(leaseSpace.name, [name, 'fence'])
}

function heartbeatKey(name: string) {
  return encodeKey(leaseSpace.name, [name, 'beat'])
}
