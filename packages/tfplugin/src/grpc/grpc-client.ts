import type { Duplex } from 'node:stream'
import { Http2Connection } from '@hykube/http2/connection'
import { encodeHeaders, type HeaderField } from '@hykube/http2/hpack'
import { timeoutText } from './call-status.ts'
import type { CallLimits, CallOptions, ClientCall } from './client-call.ts'
import { GrpcError } from './grpc-error.ts'
import { defaultLargestMessage } from './message-assembler.ts'
import { StreamCall } from './stream-call.ts'
import { UnaryCall } from './unary-call.ts'

/** A call with streams of messages in both directions. */
export interface BidiCall {
  /** Received messages. Leaving the loop early cancels the call. Throws GrpcError when the call fails. */
  readonly messages: AsyncIterable<Uint8Array>
  /** Resolves when the message was written to the socket. */
  send(message: Uint8Array): Promise<void>
  /** Closes the request stream. */
  end(): void
  cancel(): void
}

export interface GrpcClientOptions {
  readonly scheme?: 'http' | 'https'
  /** Default `localhost`. */
  readonly authority?: string
  /** Maximum size of a received message in bytes. Default 256 MiB. */
  readonly largestMessage?: number
  /** Maximum bytes that incomplete responses of all calls may buffer together. Default: twice the largest message. */
  readonly mostHeld?: number
}

/**
 * A gRPC client on one connection. It does not reconnect: after the connection is lost, calls fail with UNAVAILABLE,
 * and with `neverProcessed` when the server certainly did not act on them.
 */
export class GrpcClient {
  readonly #connection: Http2Connection
  readonly #limits: CallLimits
  readonly #common: readonly HeaderField[]
  readonly #scheme: string
  readonly #blocks = new Map<string, Uint8Array>()
  #waiting: { readonly method: string; readonly call: ClientCall }[] = []
  #over: Error | undefined
  #setReady!: () => void
  #setClosed!: (error: Error | undefined) => void
  /** Resolves when the server's SETTINGS arrived or the connection ended. */
  readonly ready: Promise<void>
  /** Resolves when the connection ended: with the cause, or undefined after {@link close}. */
  readonly closed: Promise<Error | undefined>

  constructor(socket: Duplex, options: GrpcClientOptions = {}) {
    const { scheme = 'http', authority = 'localhost', largestMessage = defaultLargestMessage } = options
    this.#scheme = scheme
    this.#limits = { largestMessage, held: { now: 0, most: options.mostHeld ?? 2 * largestMessage } }
    this.#common = [
      [':authority', authority],
      ['content-type', 'application/grpc'],
      ['te', 'trailers'],
      ['user-agent', 'hykube-tfplugin'],
    ]
    this.ready = new Promise((resolve) => {
      this.#setReady = resolve
    })
    this.closed = new Promise((resolve) => {
      this.#setClosed = resolve
    })
    this.#connection = new Http2Connection(
      socket,
      { role: 'client' },
      {
        ready: () => {
          this.#setReady()
          this.#startWaiting()
        },
        opened: () => undefined,
        goingAway: (error) => this.#refuseWaiting(error),
        streamEnded: () => this.#startWaiting(),
        closed: (error) => {
          this.#refuseWaiting(error ?? new Error('the connection was closed'))
          this.#setReady()
          this.#setClosed(error)
        },
      },
    )
  }

  /** Cause for which no call can be made any more; undefined while the connection is usable. */
  get over(): Error | undefined {
    return this.#over
  }

  /** Sends one message and returns the response. `method` is `/package.Service/Method`. Rejects with GrpcError. */
  unary(method: string, request: Uint8Array, options: CallOptions = {}): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const call = new UnaryCall(this.#connection, this.#limits, options, { request, resolve, reject })
      this.#start(method, call)
    })
  }

  /** Sends one message and returns a stream of responses. */
  serverStream(method: string, request: Uint8Array, options: CallOptions = {}): AsyncIterable<Uint8Array> {
    const call = new StreamCall(this.#connection, this.#limits, options)
    void call.send(request)
    call.end()
    this.#start(method, call)
    return call.messages
  }

  /** Opens a call with streams in both directions. */
  bidi(method: string, options: CallOptions = {}): BidiCall {
    const call = new StreamCall(this.#connection, this.#limits, options)
    this.#start(method, call)
    return {
      messages: call.messages,
      send: (message) => call.send(message),
      end: () => call.end(),
      cancel: () => call.fail(new GrpcError('CANCELLED', 'the call was cancelled')),
    }
  }

  /** Rejects new calls, waits for those in flight, and closes the connection. */
  async close(): Promise<void> {
    this.#refuseWaiting(new Error('the connection was closed'))
    this.#connection.close()
    await this.closed
  }

  /** Closes immediately; calls in flight fail. */
  destroy(error?: Error): void {
    this.#connection.destroy(error)
  }

  #start(method: string, call: ClientCall): void {
    call.arm()
    if (call.hasEnded) return
    if (this.#over !== undefined || this.#connection.isFinished) call.fail(this.#refusal())
    else if (this.#connection.hasRoom && this.#waiting.length === 0) this.#begin(method, call)
    // The server's stream limit is reached, or its SETTINGS have not arrived: the call waits in order.
    else this.#waiting.push({ method, call })
  }

  #begin(method: string, call: ClientCall): void {
    call.begin(this.#connection.open(this.#headerBlock(method, call.options.timeout), call))
  }

  #startWaiting(): void {
    while (this.#waiting.length > 0 && this.#connection.hasRoom) {
      const { method, call } = this.#waiting.shift()!
      if (!call.hasEnded) this.#begin(method, call)
    }
  }

  #refuseWaiting(error: Error): void {
    this.#over ??= error
    for (const { call } of this.#waiting.splice(0)) call.fail(this.#refusal())
  }

  #refusal(): GrpcError {
    const reason = this.#over?.message ?? 'the connection is closing'
    const options = { neverProcessed: true, ...(this.#over !== undefined && { cause: this.#over }) }
    return new GrpcError('UNAVAILABLE', `the call could not be sent: ${reason}`, options)
  }

  #headerBlock(method: string, timeout: number | undefined): Uint8Array {
    let block = this.#blocks.get(method)
    if (block === undefined) {
      // Header blocks are stateless (no HPACK table), so one block per method is cached.
      block = encodeHeaders([[':method', 'POST'], [':scheme', this.#scheme], [':path', method], ...this.#common])
      if (this.#blocks.size < 1000) this.#blocks.set(method, block)
    }
    return timeout === undefined
      ? block
      : Buffer.concat([block, encodeHeaders([['grpc-timeout', timeoutText(timeout + serverDeadlineSlack)]])])
  }
}

/**
 * Milliseconds added to the deadline sent to the server. The local timer then fires first and reports the error; the
 * server's deadline is only a backstop for a lost reset.
 */
const serverDeadlineSlack = 1000
