import type { Duplex } from 'node:stream'
import { fieldValue, Http2Connection } from '../http2/index.ts'
import { defaultLargestMessage } from './message-assembler.ts'
import { type GrpcHandler, ServerCall } from './server-call.ts'

export interface GrpcServerOptions {
  /** The largest message that is accepted, in bytes. Default 256 MiB. */
  readonly largestMessage?: number
}

/** A gRPC server over sockets that somebody else accepted. */
export class GrpcServer {
  readonly #handlers: ReadonlyMap<string, GrpcHandler>
  readonly #largestMessage: number
  readonly #connections = new Set<Http2Connection>()
  #closing = false
  #idle: (() => void)[] = []

  /** Handlers by method, as `/package.Service/Method`. */
  constructor(handlers: ReadonlyMap<string, GrpcHandler>, options: GrpcServerOptions = {}) {
    this.#handlers = handlers
    this.#largestMessage = options.largestMessage ?? defaultLargestMessage
  }

  /** Serves one socket until it ends. */
  accept(socket: Duplex): void {
    if (this.#closing) {
      socket.destroy()
      return
    }
    const connection: Http2Connection = new Http2Connection(
      socket,
      { role: 'server' },
      {
        ready: () => {},
        goingAway: () => {},
        streamEnded: () => {},
        opened: (stream, fields, endStream) => {
          const handler = this.#handlers.get(fieldValue(fields, ':path') ?? '')
          const call = new ServerCall(connection, handler, fields, this.#largestMessage)
          call.begin(stream, endStream)
          return call
        },
        closed: () => {
          this.#connections.delete(connection)
          if (this.#connections.size === 0) for (const wake of this.#idle.splice(0)) wake()
        },
      },
    )
    this.#connections.add(connection)
  }

  /** Takes no more calls, and resolves when those under way and their connections have ended. */
  async close(): Promise<void> {
    this.#closing = true
    for (const connection of this.#connections) connection.close()
    if (this.#connections.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  /** Ends every connection now. */
  destroy(): void {
    this.#closing = true
    for (const connection of [...this.#connections]) connection.destroy()
  }
}
