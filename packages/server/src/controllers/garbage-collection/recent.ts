/** A bounded map that evicts the oldest entry. */
export class RecentMap<V> {
  readonly #capacity: number
  readonly #values = new Map<string, V>()

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(name: string): V | undefined {
    return this.#values.get(name)
  }

  set(name: string, value: V): void {
    this.#values.delete(name)
    if (this.#values.size >= this.#capacity) this.#values.delete(this.#values.keys().next().value!)
    this.#values.set(name, value)
  }

  delete(name: string): void {
    this.#values.delete(name)
  }
}
