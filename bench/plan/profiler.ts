import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** Records CPU profiles of a server and its provider process, one file per step and process. */
export class Profiler {
  readonly #directory: string
  readonly #port: number

  private constructor(directory: string, port: number) {
    this.#directory = directory
    this.#port = port
    mkdirSync(directory, { recursive: true })
  }

  static async into(directory: string): Promise<Profiler> {
    return new Profiler(directory, await freePort())
  }

  /** Environment variables for the server process. */
  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--inspect=127.0.0.1:${this.#port}` }
  }

  /** Starts profiling; the returned function stops it and writes the profiles of the step. */
  async begin(server: number): Promise<(step: string) => Promise<void>> {
    const inspected = [{ name: 'server', session: await Session.open(this.#port) }]
    for (const provider of childrenOf(server)) {
      // Node opens its default inspector port 9229 on this signal.
      process.kill(provider, 'SIGUSR1')
      inspected.push({ name: 'provider', session: await Session.open(9229) })
    }
    for (const { session } of inspected) await session.send('Profiler.enable')
    for (const { session } of inspected) await session.send('Profiler.start')
    return async (step) => {
      for (const { name, session } of inspected) {
        const { profile } = (await session.send('Profiler.stop')) as { profile: object }
        const file = join(this.#directory, `${step.replaceAll(' ', '-')}-${name}.cpuprofile`)
        writeFileSync(file, JSON.stringify(profile))
        session.close()
      }
    }
  }
}

/** Inspector session with one process. */
class Session {
  readonly #socket: WebSocket
  #calls = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  static async open(port: number): Promise<Session> {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined)
      const [target] = ((await answer?.json()) ?? []) as { webSocketDebuggerUrl: string }[]
      if (target === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        continue
      }
      const socket = new WebSocket(target.webSocketDebuggerUrl)
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve)
        socket.addEventListener('error', reject)
      })
      return new Session(socket)
    }
  }

  send(method: string): Promise<unknown> {
    const id = ++this.#calls
    return new Promise((resolve) => {
      this.#socket.addEventListener('message', ({ data }) => {
        const message = JSON.parse(String(data)) as { id?: number; result?: unknown }
        if (message.id === id) resolve(message.result)
      })
      this.#socket.send(JSON.stringify({ id, method }))
    })
  }

  close(): void {
    this.#socket.close()
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) === parent
      } catch {
        return false
      }
    })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
