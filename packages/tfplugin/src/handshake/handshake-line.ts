import { addressText, type GrpcAddress } from '../grpc/index.ts'
import type { ProtocolVersion } from '../protocol/index.ts'

/** What a plugin says first: how it wants to be spoken to, and where. */
export interface Handshake {
  readonly protocolVersion: ProtocolVersion
  readonly address: GrpcAddress
  /** In DER; absent when the plugin speaks plain text. */
  readonly serverCertificate?: Buffer
}

/** Reads the first line of a plugin's output. Throws in words when it is something else. */
export function parseHandshake(line: string): Handshake {
  const parts = line.trim().split('|')
  const [core, app, network, address, protocol, certificate] = parts
  if (parts.length < 4 || !/^\d+$/.test(core!))
    throw new Error(`it wrote ${quoted(line)} on stdout instead of a handshake; is it a provider?`)
  if (core !== '1') throw new Error(`its handshake has version ${core}, and only 1 is known`)
  if (protocol !== 'grpc') throw new Error(`it speaks ${protocol ?? 'net/rpc'} instead of gRPC; it is too old`)
  if (app !== '5' && app !== '6')
    throw new Error(`it speaks provider protocol ${quoted(app!)}, and only 5 and 6 are known`)
  const der = certificate !== undefined && certificate.length > 50 ? Buffer.from(certificate, 'base64') : undefined
  return {
    protocolVersion: app === '5' ? 5 : 6,
    address: parseAddress(network!, address!),
    ...(der !== undefined && { serverCertificate: der }),
  }
}

/** The line that a plugin writes. */
export function handshakeToLine({ protocolVersion, address, serverCertificate }: Handshake): string {
  const certificate = serverCertificate?.toString('base64').replace(/=+$/, '') ?? ''
  const network = address.kind === 'unix' ? 'unix' : 'tcp'
  return `1|${protocolVersion}|${network}|${addressText(address)}|grpc|${certificate}\n`
}

/** Reads a network and an address as Go writes them. */
export function parseAddress(network: string, address: string): GrpcAddress {
  if (network === 'unix') return { kind: 'unix', path: address }
  const match = /^\[?([^\]]*)\]?:(\d{1,5})$/.exec(address)
  if (network !== 'tcp' || match === null)
    throw new Error(`its address ${quoted(`${network} ${address}`)} can't be used`)
  return { kind: 'tcp', host: match[1]!, port: Number(match[2]) }
}

function quoted(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text
  return JSON.stringify(short)
}
