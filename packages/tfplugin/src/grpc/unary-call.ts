import type { Http2Connection, Http2Stream } from '@hykube/http2/connection'
import { type CallLimits, type CallOptions, ClientCall } from './client-call.ts'
import { GrpcError } from './grpc-error.ts'
import { sendMessage } from './send-message.ts'

/** A call with one request and one response message. */
export class UnaryCall extends ClientCall {
  readonly #request: Uint8Array
  readonly #resolve: (response: Uint8Array) => void
  readonly #reject: (error: GrpcError) => void
  #response: Uint8Array | undefined

  constructor(
    connection: Http2Connection,
    limits: CallLimits,
    options: CallOptions,
    call: {
      readonly request: Uint8Array
      readonly resolve: (response: Uint8Array) => void
      readonly reject: (error: GrpcError) => void
    },
  ) {
    super(connection, limits, options)
    this.#request = call.request
    this.#resolve = call.resolve
    this.#reject = call.reject
  }

  protected override started(connection: Http2Connection, stream: Http2Stream): void {
    sendMessage(connection, stream, this.#request, true)
  }

  protected override received(message: Uint8Array): void {
    if (this.#response !== undefined) {
      this.fail(new GrpcError('INTERNAL', 'the response has more than one message'))
      return
    }
    this.#response = message
  }

  protected override ended(error: GrpcError | undefined): void {
    if (error !== undefined) this.#reject(error)
    else if (this.#response === undefined)
      this.#reject(new GrpcError('INTERNAL', 'the call succeeded without a response message'))
    else this.#resolve(this.#response)
  }
}
