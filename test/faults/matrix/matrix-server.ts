import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { startServer, type TestServer } from '../../e2e/server.ts'
import type { Kill } from './cases.ts'

const program = join(import.meta.dirname, '../../fixtures/faulty-provider/main.ts')

/** A response of the server. */
interface Answer {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
  readonly document: any
}

/** A server to be killed, with the faulty provider. */
export class MatrixServer {
  readonly #server: TestServer
  readonly #agent = new Agent({ keepAlive: true })
  #said = ''
  readonly #reached = new Set<string>()

  private constructor(server: TestServer) {
    this.#server = server
    server.process.stderr?.on('data', (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString()).slice(-20_000)
      for (const [, point] of this.#said.matchAll(/^fault point ([^;]+);$/gm)) this.#reached.add(point!)
    })
  }

  static async start(directory: string, faultPoints: readonly string[], callSeconds: number): Promise<MatrixServer> {
    const providers = join(directory, 'mirror')
    mkdirSync(providers, { recursive: true })
    const executable = join(providers, 'terraform-provider-faulty')
    writeFileSync(executable, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
    chmodSync(executable, 0o755)
    const timeout = ['--provider-apply-timeout', `${callSeconds}s`]
    // The cloud is written by the provider's own user, and by the tests.
    const world = ['--provider-path', `faulty=${join(directory, 'world')}`]
    chmodSync(directory, 0o711)
    const server = await startServer({
      arguments: ['--provider-dir', providers, ...world, ...timeout],
      dataDirectory: join(directory, 'data'),
      environment: { HYKUBE_FAULT_POINTS: faultPoints.join(';') },
    })
    return new MatrixServer(server)
  }

  /** Returns true when the server has stopped at a fault point. */
  hasReached(faultPoint: string): boolean {
    return this.#reached.has(faultPoint)
  }

  get pid(): number {
    return this.#server.process.pid!
  }

  /** Sends a request over a persistent connection. */
  api(method: string, path: string, body?: object, type = 'application/json'): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#server.adminToken}`, 'content-type': type }
    const options = { method, headers, agent: this.#agent, rejectUnauthorized: false }
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.#server.url), options, async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.startsWith('application/json') === true
        resolve({ status: response.statusCode ?? 0, text, document: isJson ? JSON.parse(text) : undefined })
      })
      sent.on('error', reject)
      sent.setTimeout(240_000, () => sent.destroy(new Error(`${method} ${path} timed out`)))
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  async kill(kill: Kill): Promise<void> {
    const others = kill === 'tree' ? providersOf(this.#server.dataDirectory) : []
    if (kill === 'tree') for (const pid of [this.pid, ...others]) signal(pid, 'SIGSTOP')
    for (const pid of others) signal(pid, 'SIGKILL')
    await this.#server.end('SIGKILL')
    this.#agent.destroy()
  }

  async stop(): Promise<void> {
    await this.#server.end()
    this.#agent.destroy()
  }
}

function providersOf(dataDirectory: string): number[] {
  const directory = join(dataDirectory, 'providers', 'running')
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'))
  return names.map((name) => (JSON.parse(readFileSync(join(directory, name), 'utf8')) as { pid: number }).pid)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already ended.
  }
}

/** Waits until a condition is true. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, seconds = 240): Promise<void> {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > seconds * 1000) throw new Error(`timed out after ${seconds} s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
