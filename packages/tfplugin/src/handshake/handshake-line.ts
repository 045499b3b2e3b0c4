import { addressText, type GrpcAddress } from '../grpc/index.ts'
import type { ProtocolVersion } from '../protocol/index.ts'

/** First line of a plugin's output: protocol and address. */
export interface Handshake {
  readonly protocolVersion: ProtocolVersion
  readonly address: GrpcAddress
  /** In DER; absent without TLS. */
  readonly serverCertificate?: Buffer
}

/** Parses the first line of a plugin's output. Throws an error that shows the line when it is malformed. */
export function parseHandshake(line: string): Handshake {
  const parts = line.trim().split('|')
  const [core, app, network, address, protocol, certificate] = parts
  if (parts.length < 4 || !/^\d+$/.test(core!))
    throw new Error(`it wrote ${quoted(line)} on stdout instead of a handshake; is it a provider?`)
  if (core !== '1') throw new Error(`its handshake has version ${core}, but only 1 is supported`)
  if (protocol !== 'grpc') throw new Error(`it uses ${protocol ?? 'net/rpc'} instead of gRPC; it is too old`)
  if (app !== '5' && app !== '6')
    throw new Error(`it uses provider protocol ${quoted(app!)}, but only 5 and 6 are supported`)
  const der = certificate !== undefined && certificate.length > 50 ? Buffer.from(certificate, 'base64') : undefined
  return {
    protocolVersion: app === '5' ? 5 : 6,
    address: parseAddress(network!, address!),
    ...(der !== undefined && { serverCertificate: der }),
  }
}

/** Formats the line. */
export function handshakeToLine({ protocolVersion, address, serverCertificate }: Handshake): string {
  const certificate = serverCertificate?.toString('base64').replace(/=+$/, '') ?? ''
  const network = address.kind === 'unix' ? 'unix' : 'tcp'
  return `1|${protocolVersion}|${network}|${addressText(address)}|grpc|${certificate}\n`
}

/** Parses a network and an address in Go's notation. */
export function parseAddress(network: string, address: string): GrpcAddress {
  if (network === 'unix') return { kind: 'unix', path: address }
  const match = /^\[?([^\]]*)\]?:(\d{1,5})$/.exec(address)
  if (network !== 'tcp' || match === null)
    throw new Error(`its address ${quoted(`${network} ${address}`)} is not supported`)
  return { kind: 'tcp', host: match[1]!, port: Number(match[2]) }
}

function quoted(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text
  return JSON.stringify(short)
}
