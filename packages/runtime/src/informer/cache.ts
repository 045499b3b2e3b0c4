import { type ObjectRef, refFromKey, refToKey } from './object-ref.ts'

/** Returns the index values of an entry. */
export type IndexFunction<V> = (value: V, ref: ObjectRef) => readonly string[]

/** The cache of an informer: values by object key, and indexes over them. */
export class Cache<V> {
  readonly #values = new Map<string, V>()
  readonly #indexes: ReadonlyMap<string, Index<V>>

  constructor(indexes: Readonly<Record<string, IndexFunction<V>>> = {}) {
    this.#indexes = new Map(Object.entries(indexes).map(([name, values]) => [name, new Index(values)]))
  }

  get size(): number {
    return this.#values.size
  }

  get(key: string): V | undefined {
    return this.#values.get(key)
  }

  keys(): IterableIterator<string> {
    return this.#values.keys()
  }

  entries(): IterableIterator<[string, V]> {
    return this.#values.entries()
  }

  /** Returns the keys of the entries with a value in an index. */
  find(index: string, value: string): readonly string[] {
    const found = this.#indexes.get(index)
    if (found === undefined)
      throw new TypeError(`no index ${JSON.stringify(index)}: declare it in the options of the informer`)
    return [...(found.keys.get(value) ?? [])]
  }

  /** Sets the value of an entry, or removes the entry when it is undefined. Returns the previous value. */
  set(ref: ObjectRef, value: V | undefined): V | undefined {
    const key = refToKey(ref)
    const before = this.#values.get(key)
    for (const index of this.#indexes.values()) index.update(key, before, value)
    if (value === undefined) this.#values.delete(key)
    else this.#values.set(key, value)
    return before
  }
}

class Index<V> {
  readonly keys = new Map<string, Set<string>>()
  readonly #valuesOf: IndexFunction<V>

  constructor(valuesOf: IndexFunction<V>) {
    this.#valuesOf = valuesOf
  }

  update(key: string, before: V | undefined, after: V | undefined): void {
    const ref = refFromKey(key)
    if (before !== undefined) for (const value of this.#valuesOf(before, ref)) this.#remove(value, key)
    if (after !== undefined) for (const value of this.#valuesOf(after, ref)) this.#add(value, key)
  }

  #add(value: string, key: string): void {
    const keys = this.keys.get(value)
    if (keys === undefined) this.keys.set(value, new Set([key]))
    else keys.add(key)
  }

  #remove(value: string, key: string): void {
    const keys = this.keys.get(value)
    keys?.delete(key)
    if (keys?.size === 0) this.keys.delete(value)
  }
}
