import { request } from 'node:https'

/** A server under comparison. */
export interface Server {
  readonly url: string
  readonly token: string
}

/** A request that is sent to both servers. */
export interface Question {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a string verbatim. */
  readonly body?: unknown
}

/** A response. */
export interface Answer {
  readonly status: number
  readonly type: string
  readonly warnings: readonly string[]
  /** The body, parsed if it is JSON; a list if it is one document per line. */
  readonly body: unknown
}

/** Sends a request and reads the whole response. */
export function ask({ url, token }: Server, { method, path, headers, body }: Question): Promise<Answer> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const sent = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    ...(text !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method, headers: sent, rejectUnauthorized: false }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          type: String(incoming.headers['content-type'] ?? ''),
          warnings: warningsOf(incoming.headers.warning),
          body: parsed(Buffer.concat(chunks).toString()),
        }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}

function warningsOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(', ') : (header ?? '')
  return [...text.matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(([, quoted]) => JSON.parse(quoted!) as string).sort()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('{"type":') ? `[${text.trim().replaceAll('\n', ',')}]` : text)
  } catch {
    return text
  }
}
