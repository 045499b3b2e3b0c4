import { type FunctionTable, namespaceOf, type Overload, overloadsOf } from '../cel/check/functions.ts'
import { libraryTypes } from '../cel/check/type-text.ts'
import { EvaluationFailure, LibraryValue, noSuchOverload } from '../cel/evaluate/values.ts'
import { type Address, addressFromText, addressToText, masked, widthOf } from './ip-address.ts'

/** Kubernetes' IP and CIDR libraries: `ip("10.0.0.1").family()`, `cidr("10.0.0.0/8").containsIP("10.1.2.3")`. */
export function ipFunctions(): Overload[] {
  return [
    ...overloadsOf(addresses),
    ...overloadsOf(networks),
    ...namespaceOf('ip', {
      'isCanonical(string): bool': (text: string) => addressToText(requireIp(text).address) === text,
    }),
  ]
}

class Ip extends LibraryValue {
  readonly type = libraryTypes.IP
  readonly address: Address

  constructor(address: Address) {
    super()
    this.address = address
  }

  override equals(other: Ip): boolean {
    return sameAddress(this.address, other.address)
  }

  override get size(): number {
    return widthOf(this.address.family) / 8
  }
}

class Cidr extends LibraryValue {
  readonly type = libraryTypes.CIDR
  readonly address: Address
  readonly prefix: number

  constructor(address: Address, prefix: number) {
    super()
    this.address = address
    this.prefix = prefix
  }

  override equals(other: Cidr): boolean {
    return this.prefix === other.prefix && sameAddress(this.address, other.address)
  }

  override get size(): number {
    return Math.ceil(this.prefix / 8)
  }
}

const addresses: FunctionTable = {
  'ip(string): IP': requireIp,
  'isIP(string): bool': (text: string) => addressFromText(text) !== undefined,
  'IP.family(): int': ({ address }: Ip) => BigInt(address.family),
  'IP.isUnspecified(): bool': ({ address }: Ip) => address.bits === 0n,
  'IP.isLoopback(): bool': ({ address }: Ip) => isLoopback(address),
  'IP.isLinkLocalMulticast(): bool': ({ address }: Ip) => isLinkLocalMulticast(address),
  'IP.isLinkLocalUnicast(): bool': ({ address }: Ip) => isLinkLocalUnicast(address),
  'IP.isGlobalUnicast(): bool': ({ address }: Ip) =>
    address.bits !== 0n &&
    !isLoopback(address) &&
    !isMulticast(address) &&
    !isLinkLocalUnicast(address) &&
    !isBroadcast(address),
  'string(IP): string': ({ address }: Ip) => addressToText(address),
}

const networks: FunctionTable = {
  'cidr(string): CIDR': requireCidr,
  'isCIDR(string): bool': (text: string) => cidrFromText(text) !== undefined,
  // Kubernetes reports an invalid address as a missing overload.
  'CIDR.containsIP(string): bool': (cidr: Cidr, text: string) => {
    const address = addressFromText(text)
    if (address === undefined) throw noSuchOverload()
    return contains(cidr, address)
  },
  'CIDR.containsIP(IP): bool': (cidr: Cidr, { address }: Ip) => contains(cidr, address),
  'CIDR.containsCIDR(string): bool': (cidr: Cidr, text: string) => containsCidr(cidr, requireCidr(text)),
  'CIDR.containsCIDR(CIDR): bool': containsCidr,
  'CIDR.ip(): IP': ({ address }: Cidr) => new Ip(address),
  'CIDR.masked(): CIDR': ({ address, prefix }: Cidr) => new Cidr(masked(address, prefix), prefix),
  'CIDR.prefixLength(): int': ({ prefix }: Cidr) => BigInt(prefix),
  'string(CIDR): string': ({ address, prefix }: Cidr) => `${addressToText(address)}/${prefix}`,
}

function requireIp(text: string): Ip {
  const address = addressFromText(text)
  if (/^::ffff:/i.test(text) && address === undefined) {
    throw new EvaluationFailure(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`)
  }
  if (text.includes('%') && text.includes(':')) {
    throw new EvaluationFailure(`IP address ${JSON.stringify(text)} with zone value is not allowed`)
  }
  if (address === undefined) {
    throw new EvaluationFailure(
      `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`,
    )
  }
  return new Ip(address)
}

function requireCidr(text: string): Cidr {
  const cidr = cidrFromText(text)
  if (cidr === undefined) {
    throw new EvaluationFailure(
      `network address parse error during conversion from string: invalid CIDR ${JSON.stringify(text)}`,
    )
  }
  return cidr
}

function cidrFromText(text: string): Cidr | undefined {
  const [host = '', bits = '', ...rest] = text.split('/')
  const address = addressFromText(host)
  if (address === undefined || rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(bits)) return undefined
  return Number(bits) > widthOf(address.family) ? undefined : new Cidr(address, Number(bits))
}

function contains({ address, prefix }: Cidr, other: Address): boolean {
  return address.family === other.family && masked(address, prefix).bits === masked(other, prefix).bits
}

function containsCidr(cidr: Cidr, other: Cidr): boolean {
  return other.prefix >= cidr.prefix && contains(cidr, other.address)
}

function sameAddress(a: Address, b: Address): boolean {
  return a.family === b.family && a.bits === b.bits
}

function isLoopback({ family, bits }: Address): boolean {
  return family === 4 ? bits >> 24n === 127n : bits === 1n
}

function isMulticast({ family, bits }: Address): boolean {
  return family === 4 ? bits >> 28n === 14n : bits >> 120n === 0xffn
}

function isLinkLocalMulticast({ family, bits }: Address): boolean {
  return family === 4 ? bits >> 8n === 0xe00000n : ((bits >> 112n) & 0xff0fn) === 0xff02n
}

function isLinkLocalUnicast({ family, bits }: Address): boolean {
  return family === 4 ? bits >> 16n === 0xa9fen : bits >> 118n === 0x3fan
}

function isBroadcast({ family, bits }: Address): boolean {
  return family === 4 && bits === 0xffffffffn
}
