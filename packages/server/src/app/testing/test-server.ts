import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, serve } from '../serve.ts'
import type { ServeOptions } from '../serve-options.ts'

/** An answer. */
export interface TestAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
  readonly document: any
}

/** A complete server in this process, used through its real socket with the administrator's token. */
export class TestServer {
  readonly server: RunningServer
  readonly #token: string
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false })

  private constructor(server: RunningServer, token: string) {
    this.server = server
    this.#token = token
  }

  /** Starts a server with a store in memory, unless the options name another. */
  static async open(options: Partial<ServeOptions> = {}): Promise<TestServer> {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'hykube-app-'))
    const server = await serve({ dataDirectory, port: 0, store: 'memory:', version: '0.0.0', ...options })
    return new TestServer(server, (await readFile(join(server.dataDirectory, 'admin.token'), 'utf8')).trim())
  }

  async close(): Promise<void> {
    this.#agent.destroy()
    await this.server.close()
    await rm(this.server.dataDirectory, { recursive: true })
  }

  send(method: string, path: string, body?: object, contentType = 'application/json'): Promise<TestAnswer> {
    const bytes = body === undefined ? '' : JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${this.#token}`,
      'content-type': contentType,
      'content-length': Buffer.byteLength(bytes),
    }
    return new Promise((resolve, reject) => {
      const sent = request(`${this.server.url}${path}`, { method, agent: this.#agent, headers }, async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode ?? 0, document: JSON.parse(text) })
      })
      sent.on('error', reject)
      sent.end(bytes)
    })
  }

  get(path: string): Promise<TestAnswer> {
    return this.send('GET', path)
  }

  post(path: string, body: object): Promise<TestAnswer> {
    return this.send('POST', path, body)
  }

  patch(path: string, body: object): Promise<TestAnswer> {
    return this.send('PATCH', path, body, 'application/merge-patch+json')
  }

  delete(path: string): Promise<TestAnswer> {
    return this.send('DELETE', path)
  }
}

/** Looks until what is expected is there. */
export async function eventually<T>(look: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + 10_000
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
  }
}
