import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { type GrpcAddress, type GrpcHandler, GrpcServer } from '../grpc/index.ts'
import type { ProtocolVersion } from '../protocol/index.ts'
import { createOneTimeCertificate, type OneTimeCertificate } from './certificate.ts'
import { handshakeToLine } from './handshake-line.ts'
import { magicCookie, magicCookieName } from './magic-cookie.ts'
import { pluginMethods, servingAnswer } from './plugin-services.ts'

export interface ServePluginOptions {
  /** Services by the protocol version that the host requests. */
  readonly protocols: ReadonlyMap<ProtocolVersion, ReadonlyMap<string, GrpcHandler>>
  /** Environment from the host. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes to stdout. */
  readonly write: (line: string) => void
  /** Default `unix`: a unix domain socket. */
  readonly network?: 'unix' | 'tcp'
  /** Serves without a host, without TLS and handshake: for debuggers. Default false. */
  readonly debug?: boolean
}

/** A running plugin. */
export interface ServedPlugin {
  readonly address: GrpcAddress
  readonly protocolVersion: ProtocolVersion
  /** Resolves when the host has asked it to stop, or `close` was called, and everything is cleaned up. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Thrown when the process was not started by a host; the message is for the user who started it. */
export class NotStartedByHostError extends Error {
  constructor() {
    super(
      'this program is a provider plugin: it is started by Hykube, Terraform or OpenTofu and does nothing by itself',
    )
    this.name = 'NotStartedByHostError'
  }
}

/** Serves a plugin as its host expects it: the first line on stdout contains the address. */
export async function servePlugin(options: ServePluginOptions): Promise<ServedPlugin> {
  const { env, debug = false } = options
  if (!debug && env[magicCookieName] !== magicCookie) throw new NotStartedByHostError()
  const protocolVersion = chooseProtocol(env.PLUGIN_PROTOCOL_VERSIONS, [...options.protocols.keys()])
  const clientCertificate = debug ? undefined : env.PLUGIN_CLIENT_CERT
  const certificate = clientCertificate === undefined ? undefined : createOneTimeCertificate()
  const ending = Promise.withResolvers<void>()
  const server = new GrpcServer(
    new Map([...options.protocols.get(protocolVersion)!, ...commonHandlers(ending.promise, () => ending.resolve())]),
  )
  const listener = listenerFor(server, certificate, clientCertificate)
  const { address, cleanUp } = await listen(listener, options)
  if (!debug) {
    const serverCertificate = certificate?.certificateDer
    options.write(
      handshakeToLine({ protocolVersion, address, ...(serverCertificate !== undefined && { serverCertificate }) }),
    )
  }
  const ended = ending.promise.then(async () => {
    listener.close()
    await server.close()
    await cleanUp()
  })
  return {
    address,
    protocolVersion,
    ended,
    close: () => {
      ending.resolve()
      return ended
    },
  }
}

/**
 * The highest protocol that both support; without one the lowest of ours, which the host then rejects with its own
 * error.
 */
export function chooseProtocol(asked: string | undefined, served: readonly ProtocolVersion[]): ProtocolVersion {
  const wanted = new Set((asked ?? '').split(',').map((version) => Number(version.trim())))
  const common = served.filter((version) => wanted.has(version))
  return common.length > 0 ? (Math.max(...common) as ProtocolVersion) : (Math.min(...served) as ProtocolVersion)
}

const nothing = new Uint8Array(0)

function commonHandlers(ended: Promise<void>, end: () => void): [string, GrpcHandler][] {
  return [
    [pluginMethods.healthCheck, { kind: 'unary', handle: () => servingAnswer }],
    [
      pluginMethods.shutdown,
      {
        kind: 'unary',
        handle: () => {
          // After the response was sent.
          setImmediate(end)
          return nothing
        },
      },
    ],
    // Plugins of this SDK write to their own stderr, so the streams stay empty.
    [pluginMethods.streamStdio, { kind: 'server-stream', handle: (_, { signal }) => silence(ended, signal) }],
    [pluginMethods.brokerStream, { kind: 'bidi', handle: (_, { signal }) => silence(ended, signal) }],
  ]
}

// Stays open without output until the client cancels.
async function* silence(ended: Promise<void>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  await Promise.race([ended, aborted])
}

function listenerFor(
  server: GrpcServer,
  certificate: OneTimeCertificate | undefined,
  clientCertificate: string | undefined,
): Server {
  if (certificate === undefined || clientCertificate === undefined) {
    return createServer({ noDelay: true }, (socket) => server.accept(socket))
  }
  return createTlsServer(
    {
      key: certificate.keyPem,
      cert: certificate.certificatePem,
      ca: clientCertificate,
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
      minVersion: 'TLSv1.2',
      noDelay: true,
    },
    (socket) => server.accept(socket),
  )
}

async function listen(
  listener: Server,
  { env, network }: ServePluginOptions,
): Promise<{ readonly address: GrpcAddress; readonly cleanUp: () => Promise<void> }> {
  if (network === 'tcp') {
    await listening(listener, () => listener.listen(0, '127.0.0.1'))
    const { port } = listener.address() as AddressInfo
    return { address: { kind: 'tcp', host: '127.0.0.1', port }, cleanUp: () => Promise.resolve() }
  }
  const directory = await mkdtemp(join(env.PLUGIN_UNIX_SOCKET_DIR || tmpdir(), 'plugin-'))
  const path = join(directory, 'socket')
  await listening(listener, () => listener.listen(path))
  return { address: { kind: 'unix', path }, cleanUp: () => rm(directory, { recursive: true, force: true }) }
}

function listening(listener: Server, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject)
    listener.once('listening', () => resolve())
    start()
  })
}
