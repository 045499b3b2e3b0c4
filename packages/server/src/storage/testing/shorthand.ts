import type {
  Change,
  ChangeBatch,
  ChangesOptions,
  CommitOutcome,
  Condition,
  DeleteOperation,
  Entry,
  Operation,
  PutOperation,
  Range,
  Revision,
  ScanOptions,
  Store,
} from '../contract.ts'
import { decodeKey, encodeKey, type Key } from '../key.ts'

/** Key of an object in the suite's main space: cluster, resource, namespace, name. */
export function object(name: string, namespace = 'default', resource = 'pods', cluster = 'root'): Key {
  return encodeKey('objects', [cluster, resource, namespace, name])
}

/** Key of a mark, in the space without history. */
export function mark(name: string, group = 'g'): Key {
  return encodeKey('marks', [group, name])
}

export function secret(name: string): Key {
  return encodeKey('secrets', [name])
}

export function bytes(text: string): Uint8Array {
  return Buffer.from(text)
}

export function text(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(value).toString()
}

export function put(key: Key, value: string, more: Partial<PutOperation> = {}): PutOperation {
  return { kind: 'put', key, value: bytes(value), ...more }
}

export function remove(key: Key, more: Partial<DeleteOperation> = {}): DeleteOperation {
  return { kind: 'delete', key, ...more }
}

/** Commits operations and returns their revisions; throws when the group is refused. */
export async function commit(store: Store, ...operations: readonly Operation[]): Promise<readonly Revision[]> {
  const outcome = await store.commit({ operations })
  if (outcome.kind !== 'committed') throw new Error(`refused: ${JSON.stringify(outcome.failures)}`)
  return outcome.revisions
}

/** Commits one operation and returns its revision. */
export async function commitOne(store: Store, operation: Operation): Promise<Revision> {
  return (await commit(store, operation))[0]!
}

/** Commits with conditions and returns the outcome. */
export function attempt(
  store: Store,
  operations: readonly Operation[],
  conditions?: readonly Condition[],
): Promise<CommitOutcome> {
  return store.commit({ operations, ...(conditions && { conditions }) })
}

/** The last segment of each key with its value, for short assertions. */
export function show(entries: readonly Pick<Entry, 'key' | 'value'>[]): string[] {
  return entries.map(({ key, value }) => `${decodeKey(key).segments.at(-1)}=${text(value)}`)
}

/** Reads all entries of a range in pages. */
export async function scanAll(store: Store, range: Range, options: ScanOptions = {}): Promise<Entry[]> {
  const entries: Entry[] = []
  let page = await store.scan(range, options)
  entries.push(...page.entries)
  while (page.last !== undefined) {
    const pin = store.spaces.get(range.space)!.history ? { revision: page.revision } : {}
    page = await store.scan(range, { ...options, ...pin, after: page.last })
    entries.push(...page.entries)
  }
  return entries
}

/** Reads the batches after a revision up to and including another. */
export async function batchesUntil(
  store: Store,
  after: Revision,
  until: Revision,
  options: ChangesOptions = {},
): Promise<ChangeBatch[]> {
  const batches: ChangeBatch[] = []
  if (after >= until) return batches
  for await (const batch of store.changes(after, options)) {
    batches.push(batch)
    if (batch.revision >= until) break
  }
  return batches
}

/** The same as single changes; keys are text, because backends return different byte classes. */
export async function changesUntil(
  store: Store,
  after: Revision,
  until: Revision,
  options: ChangesOptions = {},
): Promise<Change[]> {
  const batches = await batchesUntil(store, after, until, options)
  return batches.flatMap(({ changes }) =>
    changes.map((change) => ({ ...change, key: Buffer.from(change.key) as unknown as Key })),
  )
}

/** Pseudo-random numbers, the same in every run. */
export function createNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
