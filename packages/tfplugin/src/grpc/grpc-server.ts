import type { Duplex } from 'node:stream'
import { Http2Connection } from '@hykube/http2/connection'
import { fieldValue } from '@hykube/http2/hpack'
import { defaultLargestMessage } from './message-assembler.ts'
import { type GrpcHandler, ServerCall } from './server-call.ts'

export interface GrpcServerOptions {
  /** Maximum size of a received message in bytes. Default 256 MiB. */
  readonly largestMessage?: number
}

/** A gRPC server over sockets that the caller accepts. */
export class GrpcServer {
  readonly #handlers: ReadonlyMap<string, GrpcHandler>
  readonly #largestMessage: number
  readonly #connections = new Set<Http2Connection>()
  #closing = false
  #idle: (() => void)[] = []

  /** Maps methods, as `/package.Service/Method`, to their handlers. */
  constructor(handlers: ReadonlyMap<string, GrpcHandler>, options: GrpcServerOptions = {}) {
    this.#handlers = handlers
    this.#largestMessage = options.largestMessage ?? defaultLargestMessage
  }

  /** Serves a socket until it closes. */
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

  /** Rejects new calls and resolves when calls in flight and their connections have ended. */
  async close(): Promise<void> {
    this.#closing = true
    for (const connection of this.#connections) connection.close()
    if (this.#connections.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  /** Closes every connection immediately. */
  destroy(): void {
    this.#closing = true
    for (const connection of [...this.#connections]) connection.destroy()
  }
}
