import type { Environment } from '@marcbachmann/cel-js'
import {
  FunctionFailure,
  type FunctionTable,
  type Int,
  registerFunctions,
  registerNamespace,
} from './function-table.ts'
import { type Address, addressFromText, addressToText, masked, widthOf } from './ip-address.ts'

/** `ip("10.0.0.1").family()`, `cidr("10.0.0.0/8").containsIP("10.1.2.3")` and their siblings. */
export function registerIp(environment: Environment): void {
  environment.registerType('net.IP', { ctor: Ip, fields: {} } as never)
  environment.registerType('net.CIDR', { ctor: Cidr, fields: {} } as never)
  environment.registerOperator('net.IP == net.IP', (a: Ip, b: Ip) => sameAddress(a.address, b.address))
  environment.registerOperator(
    'net.CIDR == net.CIDR',
    (a: Cidr, b: Cidr) => a.prefix === b.prefix && sameAddress(a.address, b.address),
  )
  registerFunctions(environment, ipFunctions)
  registerFunctions(environment, cidrFunctions)
  registerNamespace(environment, 'ip', {
    'isCanonical(string): bool': (text: string) => addressToText(requireIp(text).address) === text,
  })
}

class Ip {
  readonly address: Address

  constructor(address: Address) {
    this.address = address
  }
}

class Cidr {
  readonly address: Address
  readonly prefix: number

  constructor(address: Address, prefix: number) {
    this.address = address
    this.prefix = prefix
  }
}

const ipFunctions: FunctionTable = {
  'ip(string): net.IP': requireIp,
  'isIP(string): bool': (text: string) => addressFromText(text) !== undefined,
  'net.IP.family(): int': ({ address }: Ip) => BigInt(address.family),
  'net.IP.isUnspecified(): bool': ({ address }: Ip) => address.bits === 0n,
  'net.IP.isLoopback(): bool': ({ address }: Ip) => isLoopback(address),
  'net.IP.isLinkLocalMulticast(): bool': ({ address }: Ip) => isLinkLocalMulticast(address),
  'net.IP.isLinkLocalUnicast(): bool': ({ address }: Ip) => isLinkLocalUnicast(address),
  'net.IP.isGlobalUnicast(): bool': ({ address }: Ip) =>
    address.bits !== 0n &&
    !isLoopback(address) &&
    !isMulticast(address) &&
    !isLinkLocalUnicast(address) &&
    !isBroadcast(address),
  'string(net.IP): string': ({ address }: Ip) => addressToText(address),
}

const cidrFunctions: FunctionTable = {
  'cidr(string): net.CIDR': requireCidr,
  'isCIDR(string): bool': (text: string) => cidrFromText(text) !== undefined,
  'net.CIDR.containsIP(string): bool': (cidr: Cidr, text: string) => contains(cidr, requireIp(text).address),
  'net.CIDR.containsIP(net.IP): bool': (cidr: Cidr, { address }: Ip) => contains(cidr, address),
  'net.CIDR.containsCIDR(string): bool': (cidr: Cidr, text: string) => containsCidr(cidr, requireCidr(text)),
  'net.CIDR.containsCIDR(net.CIDR): bool': containsCidr,
  'net.CIDR.ip(): net.IP': ({ address }: Cidr) => new Ip(address),
  'net.CIDR.masked(): net.CIDR': ({ address, prefix }: Cidr) => new Cidr(masked(address, prefix), prefix),
  'net.CIDR.prefixLength(): int': ({ prefix }: Cidr): Int => BigInt(prefix),
  'string(net.CIDR): string': ({ address, prefix }: Cidr) => `${addressToText(address)}/${prefix}`,
}

function requireIp(text: string): Ip {
  const address = addressFromText(text)
  if (address === undefined) {
    throw new FunctionFailure(
      `IP Address '${text}' parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`,
    )
  }
  return new Ip(address)
}

function requireCidr(text: string): Cidr {
  const cidr = cidrFromText(text)
  if (cidr === undefined) {
    throw new FunctionFailure(
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
