import { type InstanceKey, type InstanceStates, type ResourceRef, refToText } from '../model/index.ts'
import type { CommitOutcome, Entry, Group, Key, Page, Range, Revision, ScanOptions, Store } from '../storage/index.ts'
import { batchFromEntry, batchKey, type StoredBatch } from './records/batches.ts'
import {
  changeFromEntry,
  changeRange,
  changeRefFromKey,
  type GroupedChange,
  type StoredChange,
} from './records/changes.ts'
import { type EdgeSet, edgeFromKey, edgeRange } from './records/edges.ts'
import { instanceToSegment } from './records/instance-segment.ts'
import {
  type IntentRef,
  type IntentRequest,
  intentFromEntry,
  journalKey,
  journalRange,
  journalRangeOf,
  requestKey,
  type StoredIntent,
} from './records/journal.ts'
import { type MarkKind, markFromEntry, markKey, markRange, type StoredMark } from './records/marks.ts'
import { OutcomeStream, outcomeKey, outcomeRange } from './records/outcomes.ts'
import { recordFromBytes } from './records/record-codec.ts'
import { reviewFromEntry, reviewKey } from './records/reviews.ts'
import {
  lastStateKey,
  type StoredState,
  stateFromEntry,
  stateRange,
  stateRangeOfGroup,
  stateRangeOfNamespace,
  stateRefFromKey,
} from './records/state.ts'
import { useKey, usesFromEntry } from './records/uses.ts'

/** Typed access to the stored records of managed resources: states, edges, marks, intents, changes. It doesn't interpret them. */
export class Estate {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** Commits operations atomically. */
  commit(group: Group): Promise<CommitOutcome> {
    return this.#store.commit(group)
  }

  /** Reads the states of all instances of an object, ordered by key. */
  async states(ref: ResourceRef): Promise<readonly InstanceStates[]> {
    const instances = new Map<string, MutableStates>()
    for await (const entries of this.#pages(stateRange(ref)))
      for (const entry of entries) {
        const stored = stateFromEntry(entry)
        const segment = instanceToSegment(stored.instance)
        let states = instances.get(segment)
        if (states === undefined) {
          states = { instance: stored.instance, deposed: [] }
          instances.set(segment, states)
        }
        put(states, stored)
      }
    return [...instances.values()]
  }

  /** Reads at most `limit` instances of an object after a key, or the first ones. */
  async instances(
    ref: ResourceRef,
    after: { readonly key: InstanceKey } | undefined,
    limit: number,
  ): Promise<{ readonly instances: readonly InstanceStates[]; readonly more: boolean }> {
    const instances = new Map<string, MutableStates>()
    const from = after === undefined ? undefined : lastStateKey(ref, after.key)
    for await (const entries of this.#pages(stateRange(ref), from === undefined ? {} : { after: from }))
      for (const entry of entries) {
        const stored = stateFromEntry(entry)
        const segment = instanceToSegment(stored.instance)
        const known = instances.get(segment) ?? { instance: stored.instance, deposed: [] }
        if (!instances.has(segment) && instances.size === limit)
          return { instances: [...instances.values()], more: true }
        instances.set(segment, known)
        put(known, stored)
      }
    return { instances: [...instances.values()], more: false }
  }

  /** Reads the states of one instance. */
  async state(ref: ResourceRef, instance: InstanceKey): Promise<InstanceStates | undefined> {
    const range = stateRange(ref)
    const prefix = [...(range.prefix ?? []), instanceToSegment(instance)]
    const { entries } = await this.#store.scan({ ...range, prefix })
    if (entries.length === 0) return undefined
    const states: MutableStates = { instance, deposed: [] }
    for (const entry of entries) put(states, stateFromEntry(entry))
    return states
  }

  /** Reads the batch record of an object. */
  async batch(ref: ResourceRef): Promise<StoredBatch | undefined> {
    const entry = await this.#store.get(batchKey(ref))
    return entry === undefined ? undefined : batchFromEntry(entry)
  }

  /** True when an object has a state record. */
  async hasState(ref: ResourceRef): Promise<boolean> {
    return (await this.#store.count(stateRange(ref))) > 0
  }

  /** Reads at most `limit` state records in a namespace or in a whole cluster. */
  async someStates(cluster: string, namespace: string | undefined, limit: number): Promise<readonly StoredState[]> {
    const page = await this.#store.scan(stateRangeOfNamespace(cluster, namespace), { limit })
    return page.entries.map(stateFromEntry)
  }

  /** Reads all state records in a namespace or in a whole cluster. */
  async *allStates(cluster: string, namespace?: string): AsyncGenerator<StoredState> {
    for await (const entry of this.#entries(stateRangeOfNamespace(cluster, namespace))) yield stateFromEntry(entry)
  }

  /** Lists the objects with state records in a namespace or in a whole cluster. An object may be listed more than once. */
  async *refsWithState(cluster: string, namespace?: string): AsyncGenerator<ResourceRef> {
    let last = ''
    for await (const entries of this.#pages(stateRangeOfNamespace(cluster, namespace), { keysOnly: true }))
      for (const { key } of entries) {
        const { ref } = stateRefFromKey(key)
        const text = refToText(ref)
        if (text !== last) yield ref
        last = text
      }
  }

  /** Reads all state records in a key range. */
  async *statesIn(range: Range): AsyncGenerator<StoredState> {
    for await (const entry of this.#entries(range)) yield stateFromEntry(entry)
  }

  /** Reads the state records in a key range that were written after a revision. */
  async *statesSince(range: Range, revision: Revision): AsyncGenerator<StoredState> {
    if (revision === 0) return yield* this.statesIn(range)
    for await (const entries of this.#pages(range, { keysOnly: true })) {
      const newer = entries.filter((entry) => entry.revision > revision)
      for (const entry of await Promise.all(newer.map(({ key }) => this.#store.get(key))))
        if (entry !== undefined) yield stateFromEntry(entry)
    }
  }

  /** Reads all state records of an API group in a cluster. */
  async *statesOfGroup(group: string, cluster: string): AsyncGenerator<StoredState> {
    for await (const entry of this.#entries(stateRangeOfGroup(group, cluster))) yield stateFromEntry(entry)
  }

  /** Reads all marks of a kind in a cluster or in a namespace. */
  async *marks(cluster: string, kind: MarkKind, namespace?: string): AsyncGenerator<StoredMark> {
    for await (const entry of this.#entries(markRange(cluster, kind, namespace))) yield markFromEntry(entry)
  }

  async mark(ref: ResourceRef, kind: MarkKind): Promise<StoredMark | undefined> {
    const entry = await this.#store.get(markKey(ref, kind))
    return entry === undefined ? undefined : markFromEntry(entry)
  }

  /** Returns the revision of a provider or its configuration up to which all its objects in a namespace were planned. */
  async reviewed(namespace: string, of: ResourceRef): Promise<Revision> {
    const entry = await this.#store.get(reviewKey(namespace, of))
    return entry === undefined ? 0 : reviewFromEntry(entry)
  }

  /** Returns the uses in an object that may read sensitive values. */
  async sensitiveUses(ref: ResourceRef): Promise<ReadonlySet<string>> {
    const entry = await this.#store.get(useKey(ref))
    return new Set(entry === undefined ? [] : usesFromEntry(entry))
  }

  /** Lists the objects that refer to an object, or to one of its attributes. An object that uses several attributes is listed several times. */
  async *dependents(set: EdgeSet, target: ResourceRef, attribute?: string): AsyncGenerator<ResourceRef> {
    for await (const { key } of this.#entries(edgeRange(set, target, attribute), { keysOnly: true }))
      yield edgeFromKey(key).dependent
  }

  async intent(place: IntentRef): Promise<StoredIntent | undefined> {
    const entry = await this.#store.get(journalKey(place))
    return entry === undefined ? undefined : intentFromEntry(entry)
  }

  /** Reads the stored request of an intent; undefined when it equals the planned change. */
  async request(place: IntentRef): Promise<IntentRequest | undefined> {
    const entry = await this.#store.get(requestKey(place))
    return entry === undefined ? undefined : recordFromBytes<IntentRequest>(entry.value)
  }

  /** Lists the instances of an object with an open intent, and the name of the plan. */
  async openCalls(ref: ResourceRef): Promise<ReadonlyMap<InstanceKey, string>> {
    const open = new Map<InstanceKey, string>()
    // Counting is cheaper than scanning, and nearly always there is none.
    if ((await this.#store.count(journalRangeOf(ref))) === 0) return open
    for await (const { instance, intent } of this.intentsOf(ref)) open.set(instance, intent.planName)
    return open
  }

  /** Reads all open intents of an object. */
  async *intentsOf(ref: ResourceRef): AsyncGenerator<StoredIntent> {
    for await (const entry of this.#entries(journalRangeOf(ref))) yield intentFromEntry(entry)
  }

  /** Reads all open intents of a cluster, or of all clusters. */
  async *intents(cluster?: string): AsyncGenerator<StoredIntent> {
    for await (const entry of this.#entries(journalRange(cluster))) yield intentFromEntry(entry)
  }

  /** Reads all changes of a plan, or of one object in it, ordered by key. */
  async *changes<T>(cluster: string, plan: string, ref?: ResourceRef): AsyncGenerator<StoredChange<T>> {
    const range = changeRange(cluster, plan, ref)
    const outcomes = new OutcomeStream(this.#entries(outcomeRange(range)))
    for await (const entry of this.#entries(range)) yield changeFromEntry<T>(entry, await outcomes.of(entry.key))
  }

  /**
   * Lists all changes of a plan, ordered by key, with only the data that changes of the same group share. One record of each group is
   * decoded, because a plan may have a million changes of a few groups.
   */
  async *groupedChanges<T, S>(
    cluster: string,
    plan: string,
    groupOf: (record: T) => S,
  ): AsyncGenerator<GroupedChange<S>> {
    const range = changeRange(cluster, plan)
    const outcomes = new OutcomeStream(this.#entries(outcomeRange(range)))
    const known = new Map<number, S>()
    let after: { readonly after: Key } | undefined
    for (;;) {
      const keys = await this.#store.scan(range, { keysOnly: true, ...after })
      const isMixed = unknownGroups(keys.entries, known) > fewGroups
      const page = isMixed ? await this.#store.scan(range, after) : keys
      for (const entry of page.entries) {
        const { key, tag } = entry
        let group = known.get(tag)
        if (group === undefined) {
          const read = isMixed ? entry : await this.#store.get(key)
          if (read === undefined) continue
          group = groupOf(recordFromBytes<T>(read.value))
          // It may have been rewritten without a group since its key was read.
          if (tag !== 0 && read.tag === tag) known.set(tag, group)
        }
        yield { target: changeRefFromKey(key), group, progress: await outcomes.of(key) }
      }
      if (page.last === undefined) return
      after = { after: page.last }
    }
  }

  async change<T>(key: Key): Promise<StoredChange<T> | undefined> {
    const [entry, progress] = await Promise.all([this.#store.get(key), this.#store.get(outcomeKey(key))])
    return entry === undefined
      ? undefined
      : changeFromEntry<T>(entry, progress === undefined ? undefined : recordFromBytes(progress.value))
  }

  /** Reads a page of a plan's changes. */
  async changePage<T>(
    cluster: string,
    plan: string,
    options: { readonly limit: number; readonly after?: Key },
  ): Promise<{ readonly changes: readonly StoredChange<T>[]; readonly last?: Key }> {
    const range = changeRange(cluster, plan)
    const page: Page = await this.#store.scan(range, options)
    const after = options.after === undefined ? {} : { after: outcomeKey(options.after) }
    const outcomes = new OutcomeStream(this.#entries(outcomeRange(range), after))
    const changes: StoredChange<T>[] = []
    for (const entry of page.entries) changes.push(changeFromEntry<T>(entry, await outcomes.of(entry.key)))
    return { changes, ...(page.last !== undefined && { last: page.last }) }
  }

  count(range: Range): Promise<number> {
    return this.#store.count(range)
  }

  now(): Promise<Revision> {
    return this.#store.now()
  }

  // These spaces keep no history, so each page shows the records at the time of its own read.
  async *#pages(range: Range, options: EntryOptions = {}): AsyncGenerator<readonly Entry[]> {
    let page: Page = await this.#store.scan(range, options)
    for (;;) {
      yield page.entries
      if (page.last === undefined) return
      page = await this.#store.scan(range, { ...options, after: page.last })
    }
  }

  async *#entries(range: Range, options?: EntryOptions): AsyncGenerator<Entry> {
    for await (const entries of this.#pages(range, options)) yield* entries
  }
}

// Counts the entries whose group is still unknown.
function unknownGroups(entries: readonly Entry[], known: ReadonlyMap<number, unknown>): number {
  const groups = new Set<number>()
  let single = 0
  for (const { tag } of entries)
    if (tag === 0) single++
    else if (!known.has(tag)) groups.add(tag)
  return single + groups.size
}

// With more unknown groups in a page, the whole page is read at once instead of record by record.
const fewGroups = 16

type EntryOptions = Pick<ScanOptions, 'after' | 'keysOnly'>

type MutableStates = { -readonly [K in keyof InstanceStates]: InstanceStates[K] }

function put(states: MutableStates, { slot, record, revision }: StoredState): void {
  if (slot === 'current' || slot === 'observed') states[slot] = { record, revision }
  else states.deposed = [...states.deposed, { key: slot.slice('deposed/'.length), record, revision }]
}
