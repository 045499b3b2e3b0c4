import { isIP } from 'node:net'

/** Converts an IP address to the 4 or 16 bytes in a certificate; undefined when it is not an address. */
export function ipAddressBytes(address: string): Uint8Array | undefined {
  switch (isIP(address)) {
    case 4:
      return Uint8Array.from(address.split('.').map(Number))
    case 6:
      return ipv6Bytes(address.replace(/%.*$/, ''))
    default:
      return undefined
  }
}

function ipv6Bytes(address: string): Uint8Array {
  const [head = '', tail] = address.split('::')
  const front = groupsOf(head)
  const back = groupsOf(tail ?? '')
  const zeros = new Array<number>(8 - front.length - back.length).fill(0)
  return Uint8Array.from([...front, ...zeros, ...back].flatMap((group) => [group >> 8, group & 0xff]))
}

// The last 32 bits may be written as an IPv4 address.
function groupsOf(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a, b, c, d] = group.split('.').map(Number)
    return [(a! << 8) | b!, (c! << 8) | d!]
  })
}
