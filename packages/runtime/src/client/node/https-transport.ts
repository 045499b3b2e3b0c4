import { Agent, request as httpsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts'
import type { ClusterAccess } from './kubeconfig.ts'

/** A transport to one server over keep-alive connections. */
export interface HttpsTransport {
  readonly transport: Transport
  /** Returns the expiry of the server certificate; undefined before the first response. */
  serverCertificateEnd(): Date | undefined
  /** Closes all connections. */
  close(): void
}

/** No response: the server cannot be reached, or TLS verification failed. `code` is Node's error code. */
export class ConnectionError extends Error {
  readonly code: string | undefined

  constructor(message: string, code: string | undefined, cause: unknown) {
    super(message, { cause })
    this.name = 'ConnectionError'
    this.code = code
  }
}

/** Creates a transport over HTTPS. `headers` are added to every request, for example for impersonation. */
export function createHttpsTransport(
  access: ClusterAccess,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): HttpsTransport {
  const base = new URL(access.server)
  if (base.protocol !== 'https:')
    throw new ConnectionError(
      `cannot connect to ${access.server}: the server of the kubeconfig must be an https:// URL`,
      undefined,
      undefined,
    )
  const agent = new Agent({ keepAlive: true, maxSockets: 32, ...tlsOptions(access) })
  const prefix = base.pathname.replace(/\/+$/, '')
  let certificateEnd: Date | undefined
  const transport: Transport = (sent) =>
    new Promise((resolve, reject) => {
      const outgoing = httpsRequest(
        {
          agent,
          // Node expects IPv6 addresses without the brackets of a URL.
          hostname: base.hostname.replace(/^\[|\]$/g, ''),
          port: base.port === '' ? 443 : base.port,
          method: sent.method,
          path: pathOf(prefix, sent),
          headers: {
            ...sent.headers,
            ...credentialHeaders(access),
            ...(headers as Record<string, string | string[]>),
            ...lengthOf(sent),
          },
          ...(sent.signal === undefined ? {} : { signal: sent.signal }),
        },
        (incoming) => {
          certificateEnd ??= certificateEndOf(incoming)
          resolve(responseFrom(incoming))
        },
      )
      outgoing.on('error', (error: NodeJS.ErrnoException) => reject(failureOf(access.server, error)))
      outgoing.end(sent.body)
    })
  return { transport, serverCertificateEnd: () => certificateEnd, close: () => agent.destroy() }
}

type IncomingMessage = Parameters<NonNullable<Parameters<typeof httpsRequest>[2]>>[0]

function tlsOptions({ authority, certificate, key, serverName, insecure }: ClusterAccess) {
  return {
    rejectUnauthorized: !insecure,
    ...(authority === undefined ? {} : { ca: authority }),
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  }
}

function credentialHeaders({ login, token = login?.credential.token, basic }: ClusterAccess): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  return basic === undefined ? {} : { authorization: `Basic ${basic}` }
}

function pathOf(prefix: string, { path, query }: TransportRequest): string {
  return query === undefined || query === '' ? `${prefix}${path}` : `${prefix}${path}?${query}`
}

function lengthOf({ body }: TransportRequest): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(body.byteLength) }
}

function responseFrom(incoming: IncomingMessage): TransportResponse {
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')])
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: incoming,
  }
}

function certificateEndOf({ socket }: IncomingMessage): Date | undefined {
  const end = (socket as TLSSocket).getPeerCertificate?.().valid_to
  return end === undefined || end === '' ? undefined : new Date(end)
}

// A request aborted by the caller is not a connection failure.
function failureOf(server: string, error: NodeJS.ErrnoException): Error {
  if (error.name === 'AbortError') return error
  return new ConnectionError(`cannot reach ${server}: ${reasonOf(error)}`, error.code, error)
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return reasons[code ?? ''] ?? (message === '' ? (code ?? 'the connection failed') : message)
}

const untrusted = 'its certificate is signed by an authority that the kubeconfig does not trust'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'connection reset by the server',
  ENOTFOUND: 'no such host',
  ETIMEDOUT: 'connection timed out',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
}
