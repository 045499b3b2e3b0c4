import type { KubernetesObject } from '@hykube/machinery/object'
import type {
  Condition,
  Entry,
  JoinedPage,
  JoinOptions,
  Key,
  Operation,
  Page,
  Range,
  Revision,
  ScanOptions,
  Store,
  Tag,
} from '../storage/index.ts'
import { decodeObject, encodeObject, stampedBytes } from './object-codec.ts'
import type { ObjectIndex } from './object-index.ts'
import { type ObjectLocation, objectKey, type ResourceLocation } from './object-key.ts'
import { ownerIndexOperations } from './owner-index.ts'
import { failureFromStorage } from './storage-failure.ts'

/** An object with its storage key, revision and encoded bytes. */
export interface StoredObject {
  readonly key: Key
  readonly bytes: Uint8Array
  readonly tag: Tag
  readonly revision: Revision
}

/** An object that a decision was based on: the commit is rejected when it has changed since. */
export interface SeenObject {
  readonly key: Key
  /** Undefined when the object did not exist. */
  readonly revision: Revision | undefined
}

/** Change of one object. `before` is undefined for a create, `after` for a delete. */
export interface ObjectChange {
  readonly resource: ResourceLocation
  readonly place: ObjectLocation
  /** State that the change was computed from. The commit is rejected when the object has changed since. */
  readonly before: StoredObject | undefined
  readonly after: KubernetesObject | undefined
  /** Final state of a deleted object, which watchers receive. */
  readonly final?: KubernetesObject
  readonly tag?: Tag
  /** The decoded `before`, if the caller already has it. */
  readonly beforeObject?: KubernetesObject
}

/** Additional operations and conditions for the commit of a change. */
interface CommitExtras {
  readonly operations?: readonly Operation[]
  readonly unmoved?: readonly SeenObject[]
}

export type ChangeOutcome =
  | { readonly kind: 'committed'; readonly objects: readonly (StoredObject | undefined)[]; readonly revision: Revision }
  /** The object or a condition has changed: read again and recompute. */
  | { readonly kind: 'moved' }

/** Objects over a store: keys, encoding and indexes. Independent of kinds and of API rules. */
export class ObjectStore {
  readonly #store: Store
  readonly #indexes: readonly ObjectIndex[]

  constructor(store: Store, indexes: readonly ObjectIndex[] = []) {
    this.#store = store
    this.#indexes = [ownerIndexOperations, ...indexes]
  }

  async get(resource: ResourceLocation, place: ObjectLocation, revision?: Revision): Promise<StoredObject | undefined> {
    return this.getByKey(objectKey(resource, place), revision)
  }

  async getByKey(key: Key, revision?: Revision): Promise<StoredObject | undefined> {
    const entry = await this.#attempt('read an object', () =>
      this.#store.get(key, revision === undefined ? undefined : { revision }),
    )
    return entry === undefined ? undefined : { key, bytes: entry.value, tag: entry.tag, revision: entry.revision }
  }

  /** Commits several changes atomically, with additional operations and conditions. */
  async change(changes: readonly ObjectChange[], also: CommitExtras = {}): Promise<ChangeOutcome> {
    const prepared = changes.map((change) => prepare(change, this.#indexes))
    const operations = prepared.flatMap(({ operation, indexing }) => [operation, ...indexing])
    if (also.operations !== undefined) operations.push(...also.operations)
    const outcome = await this.#attempt('store an object', () =>
      this.#store.commit({
        operations,
        ...(also.unmoved === undefined ? {} : { conditions: also.unmoved.map(conditionOf) }),
      }),
    )
    if (outcome.kind === 'refused') return { kind: 'moved' }
    return {
      kind: 'committed',
      revision: outcome.revisions.at(-1)!,
      objects: prepared.map((each) => storedAt(each, outcome.revisions[operations.indexOf(each.operation)]!)),
    }
  }

  /**
   * Changes an object based on its current state, and retries on conflicts. `change` returns the new object, undefined
   * to decline, or its argument unchanged to write nothing. Returns the new object; undefined when the object does not
   * exist or `change` declined. A changed condition in `also` leads to a retry too.
   */
  async update(
    resource: ResourceLocation,
    place: ObjectLocation,
    change: (object: KubernetesObject) => KubernetesObject | undefined | Promise<KubernetesObject | undefined>,
    also: CommitExtras = {},
  ): Promise<KubernetesObject | undefined> {
    for (;;) {
      const before = await this.get(resource, place)
      if (before === undefined) return undefined
      const beforeObject = decodeObject(before.bytes)
      const after = await change(beforeObject)
      if (after === undefined || after === beforeObject) return after
      const outcome = await this.change([{ resource, place, before, beforeObject, after, tag: before.tag }], also)
      if (outcome.kind === 'committed') return after
    }
  }

  /**
   * Reads a range page by page, all at the revision of the first. With `isLive` each page shows the objects at the time
   * of its own read, for spaces without history and for readers that take long.
   */
  async *pages(
    range: Range,
    { isLive = false, ...options }: ScanOptions & { readonly isLive?: boolean } = {},
  ): AsyncGenerator<readonly Entry[]> {
    let page = await this.scan(range, options)
    for (;;) {
      yield page.entries
      if (page.last === undefined) return
      page = await this.scan(range, { ...options, ...(!isLive && { revision: page.revision }), after: page.last })
    }
  }

  scan(range: Range, options?: ScanOptions): Promise<Page> {
    return this.#attempt('list objects', () => this.#store.scan(range, options))
  }

  scanJoined(range: Range, options?: JoinOptions): Promise<JoinedPage | undefined> {
    return this.#attempt('list objects', () => this.#store.scanJoined(range, options))
  }

  count(range: Range): Promise<number> {
    return this.#attempt('count objects', () => this.#store.count(range))
  }

  now(): Promise<Revision> {
    return this.#attempt('ask for the current revision', () => this.#store.now())
  }

  async #attempt<T>(attempt: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw failureFromStorage(error, attempt)
    }
  }
}

function conditionOf({ key, revision }: SeenObject): Condition {
  return { key, expect: revision ?? 'absent' }
}

interface Prepared {
  readonly operation: Operation & { readonly kind: 'put' | 'delete' }
  readonly indexing: readonly Operation[]
  readonly encoded: { readonly bytes: Uint8Array; readonly stamp: number } | undefined
}

function prepare(change: ObjectChange, indexes: readonly ObjectIndex[]): Prepared {
  const { resource, place, before, after, final, tag = 0 } = change
  const key = before?.key ?? objectKey(resource, place)
  const expect = before?.revision ?? 'absent'
  const beforeObject = change.beforeObject ?? (before === undefined ? undefined : decodeObject(before.bytes))
  const indexing = indexes.flatMap((index) => index(resource, place, beforeObject, after))
  const last = after ?? final
  const encoded = last === undefined ? undefined : encodeObject(last)
  const value = encoded === undefined ? {} : { value: encoded.bytes, stamp: encoded.stamp }
  if (after === undefined) return { operation: { kind: 'delete', key, expect, tag, ...value }, indexing, encoded }
  return {
    operation: { kind: 'put', key, expect, tag, value: encoded!.bytes, stamp: encoded!.stamp },
    indexing,
    encoded,
  }
}

function storedAt({ operation, encoded }: Prepared, revision: Revision): StoredObject | undefined {
  if (encoded === undefined) return undefined
  return { key: operation.key, bytes: stampedBytes(encoded, revision), tag: operation.tag ?? 0, revision }
}
