import { isIPv6 } from 'node:net'

export interface ConnectionLimitOptions {
  /** Open connections in total. */
  readonly total: number
  /** Open connections from one address. */
  readonly perAddress: number
}

/** Limits open connections in total and per address, so that one address cannot use all of them. */
export class ConnectionLimits {
  readonly #options: ConnectionLimitOptions
  readonly #byAddress = new Map<string, number>()
  #total = 0

  constructor(options: ConnectionLimitOptions) {
    this.#options = options
  }

  /** Counts a new connection. Returns the function to call when it closes, or undefined above a limit. */
  open(address: string): (() => void) | undefined {
    const source = sourceOf(address)
    const count = this.#byAddress.get(source) ?? 0
    if (this.#total >= this.#options.total || count >= this.#options.perAddress) return undefined
    this.#total++
    this.#byAddress.set(source, count + 1)
    return () => this.#closed(source)
  }

  #closed(source: string): void {
    this.#total--
    const count = this.#byAddress.get(source)! - 1
    if (count === 0) this.#byAddress.delete(source)
    else this.#byAddress.set(source, count)
  }
}

const mappedPrefix = '::ffff:'

// One subscriber usually has a whole /64 of IPv6 addresses, so these count as one.
function sourceOf(address: string): string {
  if (address.startsWith(mappedPrefix)) return address.slice(mappedPrefix.length)
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}
