import { compareKeys } from '../key.ts'

/** Items sorted by key. */
export class SortedKeys<T extends { readonly key: Uint8Array }> {
  readonly #items: T[] = []

  get size(): number {
    return this.#items.length
  }

  get(key: Uint8Array): T | undefined {
    const item = this.#items[this.position(key)]
    return item !== undefined && compareKeys(item.key, key) === 0 ? item : undefined
  }

  /** Adds an item with a new key. */
  add(item: T): void {
    this.#items.splice(this.position(item.key), 0, item)
  }

  remove(key: Uint8Array): void {
    if (this.get(key) !== undefined) this.#items.splice(this.position(key), 1)
  }

  /** Returns the position of the first key at or after some bytes. */
  position(from: Uint8Array): number {
    let low = 0
    let high = this.#items.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareKeys(this.#items[middle]!.key, from) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  at(position: number): T | undefined {
    return this.#items[position]
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items[Symbol.iterator]()
  }
}
