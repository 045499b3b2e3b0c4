import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

// PostgreSQL ends the response to a command with the command's tag, as text with a zero byte behind it.
const commitTag = 'COMMIT\0'

/** A proxy between a store and its database that can break connections and lose responses. */
export class CuttingProxy {
  readonly #target: string
  readonly #server: Server
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #deaf = false
  #held = false
  #onResponse: ((chunk: Buffer) => void) | undefined

  private constructor(target: string) {
    this.#target = target
    this.#server = createServer((client) => this.#join(client))
  }

  /** Listens on a free local port and forwards to a Unix socket. */
  static async start(target: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Breaks every connection. */
  cut(): void {
    for (const [client, server] of this.#pairs) {
      client.destroy()
      server.destroy()
    }
  }

  /** From now on requests reach the database, but its responses are lost. */
  deafen(): void {
    this.#deaf = true
  }

  /** Loses the response to the next COMMIT and everything after it; resolves when the database has sent that response. */
  deafenAtCommit(): Promise<void> {
    return new Promise((resolve) => {
      this.#onResponse = (chunk) => {
        if (!chunk.includes(commitTag)) return
        this.#onResponse = undefined
        this.deafen()
        resolve()
      }
    })
  }

  /** From now on nothing passes in either direction, and connections stay open. */
  hold(): void {
    this.#held = true
    for (const pair of this.#pairs) for (const socket of pair) socket.pause()
  }

  /** Lets everything pass again, and breaks connections that lost data. */
  restore(): void {
    if (this.#deaf) this.cut()
    this.#deaf = false
    this.#held = false
    for (const pair of this.#pairs) for (const socket of pair) socket.resume()
  }

  async close(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(client: Socket): void {
    const server = connect(this.#target)
    const pair = [client, server] as const
    this.#pairs.add(pair)
    const part = () => {
      client.destroy()
      server.destroy()
      this.#pairs.delete(pair)
    }
    for (const socket of pair) socket.on('error', part).on('close', part)
    client.on('data', (chunk) => server.write(chunk))
    server.on('data', (chunk: Buffer) => {
      this.#onResponse?.(chunk)
      if (!this.#deaf) client.write(chunk)
    })
    if (this.#held) for (const socket of pair) socket.pause()
  }
}
