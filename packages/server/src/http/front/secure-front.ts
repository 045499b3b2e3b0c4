import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net'
import {
  createSecureContext,
  createServer as createTlsServer,
  type SecureContextOptions,
  type TLSSocket,
  type TlsOptions,
} from 'node:tls'
import type { ConnectionScheduler } from '@hykube/http2/connection'
import { ClientDisconnects } from './client-disconnects.ts'
import { type ConnectionLimitOptions, ConnectionLimits } from './connection-limits.ts'
import type { Handler, Peer } from './exchange.ts'
import { Http2Front } from './http2-front.ts'
import type { TlsSettings } from './tls-settings.ts'

/** A certificate chain and its key in PEM. */
export interface ServerCertificate {
  readonly key: string
  readonly certificate: string
}

export interface FrontOptions {
  /** Served to clients whose SNI is none of the names of `internal`. */
  readonly certificate: ServerCertificate
  /** Served to clients whose SNI is one of these names. Default: none. */
  readonly internal?: { readonly certificate: ServerCertificate; readonly names: readonly string[] }
  readonly tls: TlsSettings
  /** CA certificates sent to clients as accepted issuers. The handshake verifies nothing; authentication does. */
  readonly clientCa: string
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  readonly handler: Handler
  readonly connections: ConnectionLimitOptions
  /** Shares the event loop among the HTTP/2 connections. */
  readonly scheduler: ConnectionScheduler
}

/** A TLS listener for HTTP/1.1 and HTTP/2. */
export interface Front {
  readonly port: number
  /** Serves another certificate to new connections. */
  replaceCertificate(certificate: ServerCertificate): void
  /** Stops accepting connections, ends streaming responses, and after the grace period destroys open connections. */
  close(graceMilliseconds: number): Promise<void>
}

export async function openFront(options: FrontOptions): Promise<Front> {
  const clients = new ClientDisconnects()
  const contextOf = ({ key, certificate }: ServerCertificate): SecureContextOptions => ({
    key,
    cert: certificate,
    ca: options.clientCa,
    ...options.tls,
    honorCipherOrder: true,
  })
  const tls: TlsOptions = {
    ...contextOf(options.certificate),
    ...sniOf(options, contextOf),
    requestCert: true,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: 30_000,
  }
  // Node's HTTP/1 server is loaded for the first client that needs it: nearly all clients use HTTP/2.
  let http1: Promise<Server> | undefined
  const http1Front = () => {
    http1 ??= import('./http1.ts').then(({ http1Server }) => http1Server(options.handler, peerOf, clients))
    return http1
  }
  const http2 = new Http2Front(options.handler, options.scheduler)
  const secured = createTlsServer(tls, (socket) => {
    socket.on('error', () => {})
    socket.setNoDelay(true)
    if (socket.alpnProtocol === 'h2') http2.accept(socket, peerOf(socket))
    else void http1Front().then((front) => front.emit('connection', socket))
  })
  secured.on('tlsClientError', () => {})
  const limits = new ConnectionLimits(options.connections)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const closed = limits.open(socket.remoteAddress ?? '')
    if (closed === undefined) {
      // Rejected before the TLS handshake, the most expensive part of a connection.
      socket.destroy()
      return
    }
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      closed()
    })
    secured.emit('connection', socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    replaceCertificate: (certificate) => secured.setSecureContext(contextOf(certificate)),
    close: (grace) =>
      closeAll(
        server,
        sockets,
        () => {
          clients.stop()
          http2.stop()
          void http1?.then((front) => front.closeIdleConnections())
        },
        grace,
      ),
  }
}

function sniOf(
  { internal }: FrontOptions,
  contextOf: (certificate: ServerCertificate) => SecureContextOptions,
): Pick<TlsOptions, 'SNICallback'> {
  if (internal === undefined) return {}
  const context = createSecureContext(contextOf(internal.certificate))
  return {
    SNICallback: (name, done) => done(null, internal.names.includes(name.toLowerCase()) ? context : undefined),
  }
}

const peers = new WeakMap<object, Peer>()

// One Peer per socket, because callers cache by it and HTTP/1 asks again for every request of a connection.
function peerOf(socket: object): Peer {
  let peer = peers.get(socket)
  if (peer === undefined) {
    const { remoteAddress } = socket as TLSSocket
    peer = { address: remoteAddress ?? '', certificate: (socket as TLSSocket).getPeerX509Certificate() }
    peers.set(socket, peer)
  }
  return peer
}

function closeAll(server: NetServer, sockets: Set<Socket>, stop: () => void, grace: number): Promise<void> {
  return new Promise((resolve) => {
    // Repeated, because HTTP/1 connections become idle, and can be closed, only after their current request.
    const stopping = setInterval(stop, stopInterval)
    const timer = setTimeout(() => destroyAll(sockets), grace)
    server.close(() => {
      clearInterval(stopping)
      clearTimeout(timer)
      resolve()
    })
    stop()
  })
}

const stopInterval = 50

function destroyAll(sockets: Set<Socket>): void {
  for (const socket of sockets) socket.destroy()
}
