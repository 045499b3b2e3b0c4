/**
 * A cache of a limited size. It is emptied when it is full, which costs nothing on a hit and little when most keys recur.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #limit: number

  constructor(limit: number) {
    super()
    this.#limit = limit
  }

  override set(key: K, value: V): this {
    if (this.size >= this.#limit) this.clear()
    return super.set(key, value)
  }
}
