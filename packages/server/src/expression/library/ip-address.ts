/** An IPv4 or IPv6 address as a number. */
export interface Address {
  readonly family: 4 | 6
  readonly bits: bigint
}

/** Parses an address as Kubernetes' CEL library does: no leading zeros, no zone, no IPv4-mapped IPv6. */
export function addressFromText(text: string): Address | undefined {
  if (/^\d+(\.\d+){3}$/.test(text)) return fromDotted(text)
  if (!text.includes(':') || text.includes('%') || text.includes('.')) return undefined
  return fromGroups(text)
}

/** Formats an address in its canonical form. */
export function addressToText({ family, bits }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.')
  const groups = Array.from({ length: 8 }, (_, at) => ((bits >> BigInt(112 - at * 16)) & 0xffffn).toString(16))
  return compressed(groups)
}

/** The number of bits of a family's addresses. */
export function widthOf(family: 4 | 6): number {
  return family === 4 ? 32 : 128
}

/** The address with all bits after a prefix set to zero. */
export function masked({ family, bits }: Address, prefix: number): Address {
  const rest = BigInt(widthOf(family) - prefix)
  return { family, bits: (bits >> rest) << rest }
}

function fromDotted(text: string): Address | undefined {
  const parts = text.split('.')
  if (parts.some((part) => Number(part) > 255 || (part.length > 1 && part.startsWith('0')))) return undefined
  return { family: 4, bits: parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n) }
}

function fromGroups(text: string): Address | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const given = head.length + tail.length
  if (halves.length === 2 ? given > 7 : given !== 8) return undefined
  const groups = [...head, ...Array<string>(8 - given).fill('0'), ...tail]
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined
  const bits = groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
  return bits >> 32n === 0xffffn ? undefined : { family: 6, bits }
}

// RFC 5952: the longest run of zero groups, the first of equal ones, becomes `::`.
function compressed(groups: readonly string[]): string {
  let best = { at: -1, length: 1 }
  for (let at = 0; at < 8; at++) {
    let length = 0
    while (groups[at + length] === '0') length++
    if (length > best.length) best = { at, length }
  }
  if (best.at < 0) return groups.join(':')
  return `${groups.slice(0, best.at).join(':')}::${groups.slice(best.at + best.length).join(':')}`
}
