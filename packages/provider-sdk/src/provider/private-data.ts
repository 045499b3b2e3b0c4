/** A value that can be stored in private data. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A provider's own data of an object, stored by the host next to the state and not visible to users. */
export class PrivateData {
  readonly #entries: Map<string, Json>
  /** The idempotency token, from the plan to its apply. Removed by the apply. */
  token: string | undefined

  constructor(entries?: Iterable<readonly [string, Json]>, token?: string) {
    this.#entries = new Map(entries)
    this.token = token
  }

  /** Decodes the result of `toBytes`; any other bytes decode to no data. */
  static fromBytes(bytes: Uint8Array = nothing): PrivateData {
    if (bytes.length === 0) return new PrivateData()
    try {
      const { data, token } = JSON.parse(utf8.decode(bytes)) as Stored
      return new PrivateData(data === undefined ? undefined : Object.entries(data), token)
    } catch {
      return new PrivateData()
    }
  }

  get(key: string): Json | undefined {
    return this.#entries.get(key)
  }

  set(key: string, value: Json): void {
    this.#entries.set(key, value)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  /** Encodes the data as JSON with sorted keys, so that equal data have equal bytes; empty when there is none. */
  toBytes(): Uint8Array {
    if (this.#entries.size === 0 && this.token === undefined) return nothing
    const stored: Stored = {
      ...(this.token !== undefined && { token: this.token }),
      ...(this.#entries.size > 0 && { data: Object.fromEntries([...this.#entries].sort(byKey)) }),
    }
    return new TextEncoder().encode(JSON.stringify(stored))
  }
}

const nothing = new Uint8Array(0)
const utf8 = new TextDecoder()

interface Stored {
  readonly token?: string
  readonly data?: Readonly<Record<string, Json>>
}

function byKey([a]: readonly [string, Json], [b]: readonly [string, Json]): number {
  return a < b ? -1 : 1
}
