import type { Condition, Operation, Revision, Space, Store } from '../storage/index.ts'
import { encodeKey } from '../storage/index.ts'

/** Where leases are kept: (name, part). */
export const leaseSpace: Space = { name: 'leases', segments: 2, history: false }

/**
 * What the store says of a lease. It has two parts. The fence is written when the lease is taken and never again while it
 * is held: its revision stands for this term, and a commit can name it as a condition. The beat is written again and again,
 * and tells others that the holder is alive.
 */
export interface LeaseRecord {
  /** Undefined: nobody has it. */
  readonly fence: Revision | undefined
  readonly beat: Revision | undefined
}

export async function readLease(store: Store, name: string): Promise<LeaseRecord> {
  const [fence, beat] = await Promise.all([store.get(fenceKey(name)), store.get(beatKey(name))])
  return { fence: fence?.revision, beat: beat?.revision }
}

/** Takes a lease that is as it was seen; undefined when it moved. */
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
      { kind: 'put', key: beatKey(name), value, expect: seen.beat ?? 'absent' },
    ],
  })
  if (outcome.kind === 'refused') return undefined
  const [fence, beat] = outcome.revisions
  return { fence: fence!, beat: beat! }
}

/** Tells that the holder is alive; false when the lease is another's by now. */
export async function beatLease(store: Store, name: string, fence: Revision, holder: string): Promise<boolean> {
  const value = new TextEncoder().encode(holder)
  const operation: Operation = { kind: 'put', key: beatKey(name), value }
  const outcome = await store.commit({ operations: [operation], conditions: [fenceCondition(name, fence)] })
  return outcome.kind === 'committed'
}

/** Gives a lease back, if it is still one's own. */
export async function dropLease(store: Store, name: string, fence: Revision): Promise<void> {
  await store.commit({
    operations: [
      { kind: 'delete', key: fenceKey(name), expect: fence },
      { kind: 'delete', key: beatKey(name) },
    ],
  })
}

/** Holds as long as the lease has not passed on. */
export function fenceCondition(name: string, fence: Revision): Condition {
  return { key: fenceKey(name), expect: fence }
}

function fenceKey(name: string) {
  return encodeKey(leaseSpace.name, [name, 'fence'])
}

function beatKey(name: string) {
  return encodeKey(leaseSpace.name, [name, 'beat'])
}
