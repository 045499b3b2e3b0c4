/** A range from which values are allocated. */
export interface AllocationRange {
  readonly size: number
  /** Number of first values that are allocated only on request. */
  readonly reserved: number
  at(index: number): string
  /** Index of a value; undefined outside of the range. */
  indexOf(value: string): number | undefined
}

/** Addresses of an IPv4 range, such as `10.96.0.0/12`, without the first and the last. */
export function addressRange(cidr: string): AllocationRange & { readonly cidr: string } {
  const [network = '', bits = ''] = cidr.split('/')
  const base = numberFrom(network)
  const prefix = Number(bits)
  if (base === undefined || !(prefix >= 8 && prefix <= 30))
    throw new Error(`cannot allocate addresses from ${cidr}: use an IPv4 range with a prefix of 8 to 30 bits`)
  const size = 2 ** (32 - prefix) - 2
  return {
    cidr,
    size,
    // As in Kubernetes: a sixteenth, at least 16 and at most 256.
    reserved: Math.min(Math.max(16, Math.floor(size / 16)), 256, size - 1),
    at: (index) => textFrom(base + 1 + index),
    indexOf: (value) => {
      const address = numberFrom(value)
      const index = address === undefined ? -1 : address - base - 1
      return index >= 0 && index < size ? index : undefined
    },
  }
}

/** Ports of a range, both ends included. */
export function portRange(first: number, last: number): AllocationRange {
  const size = last - first + 1
  return {
    size,
    reserved: Math.min(Math.max(16, Math.floor(size / 32)), 128),
    at: (index) => String(first + index),
    indexOf: (value) => {
      const index = Number(value) - first
      return Number.isInteger(index) && index >= 0 && index < size ? index : undefined
    },
  }
}

function numberFrom(address: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number)
  if (parts === undefined || parts.some((part) => part > 255)) return undefined
  return parts.reduce((sum, part) => sum * 256 + part, 0)
}

function textFrom(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
}
