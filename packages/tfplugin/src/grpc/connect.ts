import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { abortReason, onAbort } from '@hykube/machinery/base'
import { GrpcClient } from './grpc-client.ts'

/** Where a gRPC server listens. */
export type GrpcAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }

export interface ConnectOptions {
  /** Absent: plain text. */
  readonly tls?: ClientTls
  /** The largest message that is accepted, in bytes. Default 256 MiB. */
  readonly largestMessage?: number
  /** Milliseconds until the other side must have greeted. Default 10,000. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

/** Both sides show certificates that the other was told of. */
export interface ClientTls {
  /** The certificate that the server must have, in PEM. */
  readonly serverCertificate: string
  readonly certificate: string
  readonly key: string
  /** Default `localhost`. */
  readonly serverName?: string
}

/** Connects and waits for the other side's greeting, so that who answers speaks HTTP/2. Fails in words. */
export async function connectGrpc(address: GrpcAddress, options: ConnectOptions = {}): Promise<GrpcClient> {
  const { timeout = 10_000, signal, tls, largestMessage } = options
  const socket = socketTo(address, tls)
  socket.setNoDelay(true)
  const client = new GrpcClient(socket, {
    scheme: tls === undefined ? 'http' : 'https',
    ...(largestMessage !== undefined && { largestMessage }),
  })
  const where = addressText(address)
  const timer = setTimeout(() => client.destroy(new Error(`there was no greeting within ${timeout} ms`)), timeout)
  const release = onAbort(signal, () => client.destroy(abortReason(signal!)))
  await client.ready
  clearTimeout(timer)
  release()
  if (client.over !== undefined) {
    throw new Error(`cannot connect to the gRPC server at ${where}: ${client.over.message}`, { cause: client.over })
  }
  return client
}

/** An address as people read it. */
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
