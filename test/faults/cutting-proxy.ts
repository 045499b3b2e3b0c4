import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy between a store and its database that can break connections and lose responses. */
export class CuttingProxy {
  readonly #target: string
  readonly #server: Server
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #deaf = false
  #held = false
  #deafNext = false
  #watch: ((chunk: Buffer) => void) | undefined

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

  /**
   * Lets a number of query responses pass and then loses everything; resolves when the database has sent one more
   * response, which is lost.
   */
  deafenAfter(answers: number): Promise<void> {
    let passed = 0
    return new Promise((resolve) => {
      this.#watch = (chunk) => {
        if (this.#deaf) {
          this.#watch = undefined
          resolve()
        } else {
          // Each response ends with a command tag.
          passed += chunk.toString('latin1').split('SELECT').length - 1
          this.#deafNext = passed >= answers
        }
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
      this.#watch?.(chunk)
      if (!this.#deaf) client.write(chunk)
      if (this.#deafNext) this.deafen()
      this.#deafNext = false
    })
    if (this.#held) for (const socket of pair) socket.pause()
  }
}
