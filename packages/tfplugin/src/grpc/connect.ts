import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { abortReason, onAbort } from '@hykube/machinery/base'
import { GrpcClient } from './grpc-client.ts'

/** Where a gRPC server listens. */
export type GrpcAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }

export interface ConnectOptions {
  /** Undefined for a plain-text connection. */
  readonly tls?: ClientTls
  /** Maximum size of a received message in bytes. Default 256 MiB. */
  readonly largestMessage?: number
  /** Milliseconds to wait for the server's SETTINGS. Default 10,000. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

/** Mutual TLS with pinned certificates, as go-plugin's AutoMTLS uses. */
export interface ClientTls {
  /** PEM of the only server certificate accepted. */
  readonly serverCertificate: string
  readonly certificate: string
  readonly key: string
  /** Default `localhost`. */
  readonly serverName?: string
}

/** Connects and waits for the server's SETTINGS frame, which proves that it speaks HTTP/2. */
export async function connectGrpc(address: GrpcAddress, options: ConnectOptions = {}): Promise<GrpcClient> {
  const { timeout = 10_000, signal, tls, largestMessage } = options
  const socket = socketTo(address, tls)
  socket.setNoDelay(true)
  const client = new GrpcClient(socket, {
    scheme: tls === undefined ? 'http' : 'https',
    ...(largestMessage !== undefined && { largestMessage }),
  })
  const where = addressText(address)
  const timer = setTimeout(
    () => client.destroy(new Error(`the server sent no SETTINGS frame within ${timeout} ms`)),
    timeout,
  )
  const release = onAbort(signal, () => client.destroy(abortReason(signal!)))
  await client.ready
  clearTimeout(timer)
  release()
  if (client.over !== undefined) {
    throw new Error(`cannot connect to the gRPC server at ${where}: ${client.over.message}`, { cause: client.over })
  }
  return client
}

/** Formats an address for messages. */
export function addressText(address: GrpcAddress): string {
  return address.kind === 'unix' ? address.path : `${address.host}:${address.port}`
}

function socketTo(address: GrpcAddress, tls: ClientTls | undefined): Socket {
  const target = address.kind === 'unix' ? { path: address.path } : { host: address.host, port: address.port }
  if (tls === undefined) return connectPlain(target)
  return connectTls({
    ...target,
    ca: tls.serverCertificate,
    cert: tls.certificate,
    key: tls.key,
    servername: tls.serverName ?? 'localhost',
    ALPNProtocols: ['h2'],
    minVersion: 'TLSv1.2',
  })
}
