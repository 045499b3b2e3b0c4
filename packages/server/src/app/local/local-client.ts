import { StatusError } from '@hykube/machinery/status'
import type { UserInfo } from '../../auth/index.ts'
import type { Peer, Request, Response } from '../../http/index.ts'

/** The peer of requests from inside the process, which need no credentials. */
export const localPeer: Peer = { address: 'local', certificate: undefined }

/** The user of requests from inside the process. */
export const localUser: UserInfo = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] }

export interface LocalRequest {
  readonly method: string
  /** With the query, encoded. */
  readonly path: string
  readonly contentType?: string
  readonly accept?: string
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Sends requests from inside the process through the same handler as those of clients, without a socket. */
export class LocalClient {
  readonly #handler: (request: Request) => Promise<Response>

  constructor(handler: (request: Request) => Promise<Response>) {
    this.#handler = handler
  }

  send({
    method,
    path,
    contentType = 'application/json',
    accept = 'application/json',
    body,
    signal,
  }: LocalRequest): Promise<Response> {
    const [route = '', query = ''] = path.split('?')
    const headers: Record<string, readonly string[]> = {
      'content-type': [contentType],
      accept: [accept],
      'user-agent': ['hykube/local'],
    }
    const bytes = body === undefined ? new Uint8Array(0) : Buffer.from(JSON.stringify(body))
    return this.#handler({
      method,
      path: route,
      query,
      header: (name) => headers[name] ?? [],
      headerNames: () => Object.keys(headers),
      body: () => Promise.resolve(bytes),
      signal: signal ?? never,
      isDisconnected: false,
      peer: localPeer,
    })
  }

  /** Sends a request and returns the decoded body; a failure is thrown as a StatusError. */
  async json<T>(request: LocalRequest): Promise<T> {
    const { status, body } = await this.send(request)
    if (!(body instanceof Uint8Array)) throw new Error(`${request.method} ${request.path} answers with a stream`)
    const document = JSON.parse(Buffer.from(body).toString() || 'null') as T
    if (status < 400) return document
    const {
      reason = 'Unknown',
      message = '',
      details,
    } = document as { reason?: 'Unknown'; message?: string; details?: object }
    throw new StatusError(reason, `cannot ${request.method} ${request.path}: ${message}`, {
      code: status,
      ...(details === undefined ? {} : { details }),
    })
  }
}

const never = new AbortController().signal
