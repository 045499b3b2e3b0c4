import { type ClientHttp2Session, connect, constants } from 'node:http2'

/** A connection pool that speaks HTTP/2 to one server, as lean as Node allows: the load must not be the limit. */
export class LoadClient {
  readonly #sessions: ClientHttp2Session[]
  readonly #authorization: string
  #next = 0

  constructor(url: string, token: string, connections: number) {
    this.#authorization = `Bearer ${token}`
    this.#sessions = Array.from({ length: connections }, () => {
      const session = connect(url, { rejectUnauthorized: false, settings: { initialWindowSize: 1 << 20 } })
      session.setMaxListeners(0)
      session.on('error', () => {})
      return session
    })
  }

  /** Sends a request and waits for its end; gives the status and the bytes of the body. */
  request(method: string, path: string, body?: Uint8Array, contentType = 'application/json'): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const stream = this.#session().request(
        {
          ':method': method,
          ':path': path,
          authorization: this.#authorization,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': contentType }),
        },
        { endStream: body === undefined },
      )
      let status = 0
      let bytes = 0
      const chunks: Buffer[] = []
      stream.on('response', (headers) => {
        status = Number(headers[constants.HTTP2_HEADER_STATUS])
      })
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes < 1 << 20) chunks.push(chunk)
      })
      stream.on('end', () => resolve({ status, bytes, body: chunks }))
      stream.on('error', reject)
      if (body !== undefined) stream.end(body)
    })
  }

  /** Opens a watch; every line is handed over. */
  watch(path: string, onLine: (line: Buffer) => void): () => void {
    const stream = this.#session().request({
      ':method': 'GET',
      ':path': path,
      authorization: this.#authorization,
      accept: 'application/json',
    })
    let rest: Buffer = Buffer.alloc(0)
    stream.on('data', (chunk: Buffer) => {
      let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
        onLine(data.subarray(0, end))
        data = data.subarray(end + 1)
      }
      rest = data
    })
    stream.on('error', () => {})
    return () => stream.close()
  }

  close(): void {
    for (const session of this.#sessions) session.destroy()
  }

  #session(): ClientHttp2Session {
    return this.#sessions[this.#next++ % this.#sessions.length]!
  }
}

export interface Answer {
  readonly status: number
  readonly bytes: number
  readonly body: readonly Buffer[]
}
