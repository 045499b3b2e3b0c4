import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net'
import {
  createSecureContext,
  createServer as createTlsServer,
  type SecureContextOptions,
  type TLSSocket,
  type TlsOptions,
} from 'node:tls'
import { type ConnectionLimitOptions, ConnectionLimits } from './connection-limits.ts'
import { Departures } from './departure.ts'
import type { Handler, Peer } from './exchange.ts'
import { Http2Front } from './http2-front.ts'
import type { TlsSettings } from './tls-settings.ts'

/** A certificate chain and its key, in PEM. */
export interface ServerCertificate {
  readonly key: string
  readonly certificate: string
}

export interface FrontOptions {
  /** Shown to clients that ask for no name of `inside`. */
  readonly certificate: ServerCertificate
  /** A certificate for clients that ask for one of these names. Default: none. */
  readonly inside?: { readonly certificate: ServerCertificate; readonly names: readonly string[] }
  readonly tls: TlsSettings
  /** Authorities whose client certificates are asked for. Whether one is good is for authentication to say. */
  readonly clientCa: string
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  readonly handler: Handler
  readonly connections: ConnectionLimitOptions
}

/** One TLS port for HTTP/1.1 and HTTP/2. */
export interface Front {
  readonly port: number
  /** New connections get another certificate from now on. */
  replaceCertificate(certificate: ServerCertificate): void
  /** Takes no new connections, ends what streams and, after the grace, whatever is left. */
  close(graceMilliseconds: number): Promise<void>
}

export async function openFront(options: FrontOptions): Promise<Front> {
  const departures = new Departures()
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
  // Loaded by the first who speaks it: today's clients speak HTTP/2.
  let http1: Promise<Server> | undefined
  const http1Front = () => {
    http1 ??= import('./http1.ts').then(({ http1Server }) => http1Server(options.handler, peerOf, departures))
    return http1
  }
  const http2 = new Http2Front(options.handler)
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
      // Before the handshake, which costs most.
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
          departures.stop()
          http2.stop()
          void http1?.then((front) => front.closeIdleConnections())
        },
        grace,
      ),
  }
}

function sniOf(
  { inside }: FrontOptions,
  contextOf: (certificate: ServerCertificate) => SecureContextOptions,
): Pick<TlsOptions, 'SNICallback'> {
  if (inside === undefined) return {}
  const context = createSecureContext(contextOf(inside.certificate))
  return {
    SNICallback: (name, done) => done(null, inside.names.includes(name.toLowerCase()) ? context : undefined),
  }
}

const peers = new WeakMap<object, Peer>()

// HTTP/2 hands out a proxy of the socket, so both it and the socket lead to the same peer's facts.
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
    // Connections of HTTP/1 that wait for a next request have nothing to finish; others come to that.
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
