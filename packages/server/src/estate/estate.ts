import { type InstanceKey, type InstanceStates, type NodePlace, nodeToText } from '../plan/index.ts'
import type { CommitOutcome, Entry, Group, Key, Page, Range, Revision, ScanOptions, Store } from '../storage/index.ts'
import { batchFromEntry, batchKey, type StoredBatch } from './batches.ts'
import { changeFromEntry, changePlaceFromKey, changeRange, type SortedChange, type StoredChange } from './changes.ts'
import { type EdgeSet, edgeFromKey, edgeRange } from './edges.ts'
import { instanceToSegment } from './instance-segment.ts'
import {
  type IntentPlace,
  type IntentRequest,
  intentFromEntry,
  journalKey,
  journalRange,
  journalRangeOf,
  requestKey,
  type StoredIntent,
} from './journal.ts'
import { type MarkKind, markFromEntry, markKey, markRange, type StoredMark } from './marks.ts'
import { OutcomesBeside, outcomeKey, outcomeRange } from './outcomes.ts'
import { recordFromBytes } from './record-codec.ts'
import { reviewFromEntry, reviewKey } from './reviews.ts'
import {
  lastStateKey,
  type StoredState,
  stateFromEntry,
  statePlaceFromKey,
  stateRange,
  stateRangeOfGroup,
  stateRangeOfNamespace,
} from './state.ts'
import { useKey, usesFromEntry } from './uses.ts'

/** What is known of the world, over a store. Records only: what they mean is the planner's. */
export class Estate {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** Carries out writes together, or none of them. */
  commit(group: Group): Promise<CommitOutcome> {
    return this.#store.commit(group)
  }

  /** Everything that is known of an object's instances, in the order of their keys. */
  async states(node: NodePlace): Promise<readonly InstanceStates[]> {
    const instances = new Map<string, MutableStates>()
    for await (const entries of this.#pages(stateRange(node)))
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

  /** The next instances of an object after one of them, or the first: at most so many, and whether there are more. */
  async instances(
    node: NodePlace,
    after: { readonly key: InstanceKey } | undefined,
    limit: number,
  ): Promise<{ readonly instances: readonly InstanceStates[]; readonly more: boolean }> {
    const instances = new Map<string, MutableStates>()
    const from = after === undefined ? undefined : lastStateKey(node, after.key)
    for await (const entries of this.#pages(stateRange(node), from === undefined ? {} : { after: from }))
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

  /** What is known of one instance. */
  async state(node: NodePlace, instance: InstanceKey): Promise<InstanceStates | undefined> {
    const range = stateRange(node)
    const prefix = [...(range.prefix ?? []), instanceToSegment(instance)]
    const { entries } = await this.#store.scan({ ...range, prefix })
    if (entries.length === 0) return undefined
    const states: MutableStates = { instance, deposed: [] }
    for (const entry of entries) put(states, stateFromEntry(entry))
    return states
  }

  /** How the instances of an object stand as a whole. */
  async batch(node: NodePlace): Promise<StoredBatch | undefined> {
    const entry = await this.#store.get(batchKey(node))
    return entry === undefined ? undefined : batchFromEntry(entry)
  }

  /** Whether anything outside belongs to an object. */
  async hasState(node: NodePlace): Promise<boolean> {
    return (await this.#store.count(stateRange(node))) > 0
  }

  /** Records in a namespace of a cluster, or in all of it, at most so many. */
  async someStates(cluster: string, namespace: string | undefined, limit: number): Promise<readonly StoredState[]> {
    const page = await this.#store.scan(stateRangeOfNamespace(cluster, namespace), { limit })
    return page.entries.map(stateFromEntry)
  }

  /** Every record in a namespace of a cluster, or in all of it. */
  async *allStates(cluster: string, namespace?: string): AsyncGenerator<StoredState> {
    for await (const entry of this.#entries(stateRangeOfNamespace(cluster, namespace))) yield stateFromEntry(entry)
  }

  /** The objects in a namespace of a cluster, or in all of it, of which anything is known; one that has many records may come several times. */
  async *nodesWithState(cluster: string, namespace?: string): AsyncGenerator<NodePlace> {
    let last = ''
    for await (const entries of this.#pages(stateRangeOfNamespace(cluster, namespace), { keysOnly: true }))
      for (const { key } of entries) {
        const { node } = statePlaceFromKey(key)
        const text = nodeToText(node)
        if (text !== last) yield node
        last = text
      }
  }

  /** Every record in a range. */
  async *statesIn(range: Range): AsyncGenerator<StoredState> {
    for await (const entry of this.#entries(range)) yield stateFromEntry(entry)
  }

  /** Every record of a group of kinds in a cluster. */
  async *statesOfGroup(group: string, cluster: string): AsyncGenerator<StoredState> {
    for await (const entry of this.#entries(stateRangeOfGroup(group, cluster))) yield stateFromEntry(entry)
  }

  /** Every mark of a kind in a cluster, or in a namespace of it. */
  async *marks(cluster: string, kind: MarkKind, namespace?: string): AsyncGenerator<StoredMark> {
    for await (const entry of this.#entries(markRange(cluster, kind, namespace))) yield markFromEntry(entry)
  }

  async mark(node: NodePlace, kind: MarkKind): Promise<StoredMark | undefined> {
    const entry = await this.#store.get(markKey(node, kind))
    return entry === undefined ? undefined : markFromEntry(entry)
  }

  /** Up to which change of a provider's configuration a namespace was looked through. */
  async reviewed(namespace: string, of: NodePlace): Promise<Revision> {
    const entry = await this.#store.get(reviewKey(namespace, of))
    return entry === undefined ? 0 : reviewFromEntry(entry)
  }

  /** Which uses in an object were written by users who may read sensitive values of the target. */
  async sensitiveUses(node: NodePlace): Promise<ReadonlySet<string>> {
    const entry = await this.#store.get(useKey(node))
    return new Set(entry === undefined ? [] : usesFromEntry(entry))
  }

  /** Who refers to a node, or to one attribute of it; one that uses several attributes comes several times. */
  async *dependents(set: EdgeSet, target: NodePlace, attribute?: string): AsyncGenerator<NodePlace> {
    for await (const { key } of this.#entries(edgeRange(set, target, attribute), { keysOnly: true }))
      yield edgeFromKey(key).dependent
  }

  async intent(place: IntentPlace): Promise<StoredIntent | undefined> {
    const entry = await this.#store.get(journalKey(place))
    return entry === undefined ? undefined : intentFromEntry(entry)
  }

  /** What was sent with an intent, where its change does not say it. */
  async request(place: IntentPlace): Promise<IntentRequest | undefined> {
    const entry = await this.#store.get(requestKey(place))
    return entry === undefined ? undefined : recordFromBytes<IntentRequest>(entry.value)
  }

  /** The instances of an object that have an open intent, with the name of the plan. */
  async openCalls(node: NodePlace): Promise<ReadonlyMap<InstanceKey, string>> {
    const open = new Map<InstanceKey, string>()
    // Nearly always there is none.
    if ((await this.#store.count(journalRangeOf(node))) === 0) return open
    for await (const { instance, intent } of this.intentsOf(node)) open.set(instance, intent.planName)
    return open
  }

  /** Every open intent of an object. */
  async *intentsOf(node: NodePlace): AsyncGenerator<StoredIntent> {
    for await (const entry of this.#entries(journalRangeOf(node))) yield intentFromEntry(entry)
  }

  /** Every open intent of a cluster, or of all. */
  async *intents(cluster?: string): AsyncGenerator<StoredIntent> {
    for await (const entry of this.#entries(journalRange(cluster))) yield intentFromEntry(entry)
  }

  /** Every change of a plan, or of one object in it, in the order of addresses. */
  async *changes<T>(cluster: string, plan: string, node?: NodePlace): AsyncGenerator<StoredChange<T>> {
    const range = changeRange(cluster, plan, node)
    const outcomes = new OutcomesBeside(this.#entries(outcomeRange(range)))
    for await (const entry of this.#entries(range)) yield changeFromEntry<T>(entry, await outcomes.of(entry.key))
  }

  /**
   * Every change of a plan in the order of addresses, for whoever needs no more of it than what others of its sort have too: one of each
   * sort is read.
   */
  async *sortedChanges<T, S>(cluster: string, plan: string, sortOf: (record: T) => S): AsyncGenerator<SortedChange<S>> {
    const range = changeRange(cluster, plan)
    const outcomes = new OutcomesBeside(this.#entries(outcomeRange(range)))
    const known = new Map<number, S>()
    let after: { readonly after: Key } | undefined
    for (;;) {
      const keys = await this.#store.scan(range, { keysOnly: true, ...after })
      const isMixed = unknownSorts(keys.entries, known) > fewSorts
      const page = isMixed ? await this.#store.scan(range, after) : keys
      for (const entry of page.entries) {
        const { key, tag } = entry
        let sort = known.get(tag)
        if (sort === undefined) {
          const read = isMixed ? entry : await this.#store.get(key)
          if (read === undefined) continue
          sort = sortOf(recordFromBytes<T>(read.value))
          // It may have been written again meanwhile, as one of no sort.
          if (tag !== 0 && read.tag === tag) known.set(tag, sort)
        }
        yield { place: changePlaceFromKey(key), sort, came: await outcomes.of(key) }
      }
      if (page.last === undefined) return
      after = { after: page.last }
    }
  }

  async change<T>(key: Key): Promise<StoredChange<T> | undefined> {
    const [entry, came] = await Promise.all([this.#store.get(key), this.#store.get(outcomeKey(key))])
    return entry === undefined
      ? undefined
      : changeFromEntry<T>(entry, came === undefined ? undefined : recordFromBytes(came.value))
  }

  /** A page of a plan's changes. */
  async changePage<T>(
    cluster: string,
    plan: string,
    options: { readonly limit: number; readonly after?: Key },
  ): Promise<{ readonly changes: readonly StoredChange<T>[]; readonly last?: Key }> {
    const range = changeRange(cluster, plan)
    const page: Page = await this.#store.scan(range, options)
    const after = options.after === undefined ? {} : { after: outcomeKey(options.after) }
    const outcomes = new OutcomesBeside(this.#entries(outcomeRange(range), after))
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

  // Spaces of this room keep no history: a page shows what was there when it was read, and later pages what came since.
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

// Of how many entries the sort would have to be read.
function unknownSorts(entries: readonly Entry[], known: ReadonlyMap<number, unknown>): number {
  const sorts = new Set<number>()
  let single = 0
  for (const { tag } of entries)
    if (tag === 0) single++
    else if (!known.has(tag)) sorts.add(tag)
  return single + sorts.size
}

// More than these are read with their page.
const fewSorts = 16

type EntryOptions = Pick<ScanOptions, 'after' | 'keysOnly'>

type MutableStates = { -readonly [K in keyof InstanceStates]: InstanceStates[K] }

function put(states: MutableStates, { slot, record, revision }: StoredState): void {
  if (slot === 'current' || slot === 'observed') states[slot] = { record, revision }
  else states.deposed = [...states.deposed, { key: slot.slice('deposed/'.length), record, revision }]
}
