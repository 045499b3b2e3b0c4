import type { Revision, Space } from '../../contract.ts'
import type { Key } from '../../key.ts'

/** The effect of a transaction on a key. */
export interface Written {
  readonly key: Key
  readonly space: Space
  readonly revision: Revision
  readonly tag: number
  readonly size: number
  readonly deleted: boolean
}

/** Effects of a transaction by key bytes: converting each key to a string would cost more than the lookup. */
export class WrittenKeys {
  readonly #byHash = new Map<number, Found>()

  get size(): number {
    return this.#byHash.size
  }

  /** Returns the last effect on a key. */
  get(key: Key): Written | undefined {
    if (this.#byHash.size === 0) return undefined
    for (let found = this.#byHash.get(hashOf(key)); found !== undefined; found = found.next)
      if (isSame(found.written.key, key)) return found.written
    return undefined
  }

  set(written: Written): void {
    const hash = hashOf(written.key)
    const first = this.#byHash.get(hash)
    for (let found = first; found !== undefined; found = found.next) {
      if (!isSame(found.written.key, written.key)) continue
      found.written = written
      return
    }
    this.#byHash.set(hash, { written, next: first })
  }

  *values(): Generator<Written> {
    for (const first of this.#byHash.values())
      for (let found: Found | undefined = first; found !== undefined; found = found.next) yield found.written
  }

  clear(): void {
    this.#byHash.clear()
  }
}

/** One of the keys with the same hash. */
interface Found {
  written: Written
  readonly next: Found | undefined
}

// FNV-1a.
function hashOf(key: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key[at]!, 0x01000193)
  return hash
}

// Compared from the end, because most keys differ there.
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let at = a.length - 1; at >= 0; at--) if (a[at] !== b[at]) return false
  return true
}
