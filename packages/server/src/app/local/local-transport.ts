import { BoundedQueue, onAbort } from '@hykube/machinery/base'
import type { Transport, TransportRequest } from '../../controllers/index.ts'
import type { Request, Response } from '../../http/index.ts'
import { localPeer } from './local-client.ts'

/** A transport for clients inside the process, with streams and without a socket. */
export function createLocalTransport(handler: (request: Request) => Promise<Response>): Transport {
  return async (request) => {
    const signal = request.signal ?? never
    const { status, headers, body } = await handler(requestFrom(request, signal))
    const flat = Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value.join(', '),
    ])
    return {
      status,
      headers: Object.fromEntries(flat) as Record<string, string>,
      body: body instanceof Uint8Array ? once(body) : stream(body, signal),
    }
  }
}

const never = new AbortController().signal
const noBody = new Uint8Array(0)

function requestFrom(
  { method, path, query = '', headers = {}, body = noBody }: TransportRequest,
  signal: AbortSignal,
): Request {
  return {
    method,
    path,
    query,
    headerNames: () => Object.keys(headers),
    header: (name) => (headers[name] === undefined ? [] : [headers[name]]),
    body: () => Promise.resolve(body),
    signal,
    isDisconnected: false,
    peer: localPeer,
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

// Backpressure: a write resolves when the reader has taken the chunk.
async function* stream(
  produce: Exclude<Response['body'], Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const closing = new AbortController()
  const chunks = new BoundedQueue<{ readonly chunk: Uint8Array; readonly taken: () => void }>(Number.POSITIVE_INFINITY)
  const release = onAbort(signal, () => closing.abort())
  const closed = new Promise<void>((resolve) => onAbort(closing.signal, resolve))
  let pending = 0
  const writer = {
    signal: closing.signal,
    get pending() {
      return pending
    },
    write: (chunk: Uint8Array) => {
      pending += chunk.length
      const taken = new Promise<void>((resolve) => chunks.offer({ chunk, taken: resolve }))
      return Promise.race([taken, closed])
    },
  }
  const produced = produce(writer).finally(() => chunks.close())
  produced.catch(() => {})
  try {
    for await (const { chunk, taken } of chunks) {
      pending -= chunk.length
      taken()
      yield chunk
    }
    await produced
  } finally {
    release()
    closing.abort()
  }
}
