import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * True when an address is in the public internet. An IPv6 address that embeds an IPv4 one is classified by that one.
 */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  if (isIPv4(plain)) return !special.check(plain)
  if (!isIPv6(plain)) return false
  const embedded = embeddedIPv4(plain)
  if (embedded !== undefined) return !special.check(embedded)
  // Only this range is allocated for the internet.
  return global.check(plain, 'ipv6') && !special.check(plain, 'ipv6')
}

/** Returns the IPv4 address in a mapped, NAT64 or 6to4 address, or undefined. */
export function embeddedIPv4(address: string): string | undefined {
  const groups = groupsOf(address)
  const last = groups.slice(6)
  const beginsWith = (...wanted: readonly number[]) => wanted.every((group, at) => groups[at] === group)
  if (beginsWith(0, 0, 0, 0, 0, 0xffff)) return dotted(last)
  if (beginsWith(0x64, 0xff9b, 0, 0, 0, 0)) return dotted(last)
  if (beginsWith(0x2002)) return dotted(groups.slice(1, 3))
  return undefined
}

// IANA's special-purpose registries, and multicast.
const special = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  special.addSubnet(net, bits)
for (const [net, bits] of [
  // Teredo embeds an obfuscated IPv4 address; the rest is for documentation and protocols.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
] as const)
  special.addSubnet(net, bits, 'ipv6')

const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

function groupsOf(address: string): number[] {
  const withoutDots = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    const [high, low] = [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)]
    return `${high.toString(16)}:${low.toString(16)}`
  })
  const [head = '', tail] = withoutDots.split('::')
  const parse = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const before = parse(head)
  const after = tail === undefined ? [] : parse(tail)
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

function dotted([high = 0, low = 0]: readonly number[]): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
