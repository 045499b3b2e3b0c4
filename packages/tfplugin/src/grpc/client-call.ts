import type { Http2Connection, Http2Stream, StreamEvents } from '@hykube/http2/connection'
import { http2Codes } from '@hykube/http2/frames'
import type { HeaderField } from '@hykube/http2/hpack'
import { abortReason, onAbort } from '@hykube/machinery/base'
import { errorFromHttp, errorFromTrailers } from './call-status.ts'
import { GrpcError } from './grpc-error.ts'
import { type HeldBytes, MessageAssembler } from './message-assembler.ts'
import { grpcErrorFromReset } from './reset-status.ts'

export interface CallOptions {
  /** Cancels the call locally and resets its stream. */
  readonly signal?: AbortSignal
  /** Milliseconds after which the call fails with DEADLINE_EXCEEDED. Default: no deadline. */
  readonly timeout?: number
  /** Maximum size of a response message in bytes. Default and upper bound: the client's largestMessage. */
  readonly largestAnswer?: number
}

/** Limits of each call, and of all calls of a connection together. */
export interface CallLimits {
  readonly largestMessage: number
  readonly held: HeldBytes
}

/** Base of all client calls. A call begins once, ends once, and receives its stream's events in between. */
export abstract class ClientCall implements StreamEvents {
  readonly #connection: Http2Connection
  readonly #assembler: MessageAssembler
  readonly options: CallOptions
  protected stream: Http2Stream | undefined
  #answered = false
  #ended = false
  #release: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #take = (message: Uint8Array) => this.received(message)

  constructor(connection: Http2Connection, limits: CallLimits, options: CallOptions) {
    this.#connection = connection
    const { largestAnswer = limits.largestMessage } = options
    this.#assembler = new MessageAssembler(Math.min(largestAnswer, limits.largestMessage), limits.held)
    this.options = options
  }

  /**
   * Starts watching the abort signal and the deadline. Separate from {@link begin}, because a call may wait for a free
   * stream.
   */
  arm(): void {
    const { signal, timeout } = this.options
    if (signal !== undefined) this.#release = onAbort(signal, () => this.fail(cancelled(signal)))
    if (timeout !== undefined && !this.#ended)
      this.#timer = setTimeout(() => this.fail(deadlineExceeded(timeout)), timeout)
  }

  get hasEnded(): boolean {
    return this.#ended
  }

  /** Attaches the stream that was opened for this call and sends the request. */
  begin(stream: Http2Stream): void {
    this.stream = stream
    this.started(this.#connection, stream)
  }

  /** Ends the call with an error and resets its stream. */
  fail(error: GrpcError): void {
    if (this.#ended) return
    if (this.stream !== undefined) this.#connection.reset(this.stream, http2Codes.CANCEL)
    this.#end(error)
  }

  headers(fields: readonly HeaderField[], endStream: boolean): void {
    if (endStream) this.#finish(errorFromTrailers(fields))
    else if (!this.#answered) {
      this.#answered = true
      const problem = errorFromHttp(fields)
      if (problem !== undefined) this.fail(problem)
    }
  }

  data(bytes: Buffer, endStream: boolean): void {
    try {
      this.#assembler.push(bytes, this.#take)
    } catch (error) {
      this.fail(error as GrpcError)
      return
    }
    this.consumed(bytes.length)
    if (endStream) this.fail(new GrpcError('INTERNAL', 'the answer ends without a status'))
  }

  reset(code: number): void {
    this.#end(grpcErrorFromReset(code))
  }

  lost(error: Error, neverProcessed: boolean): void {
    this.#end(
      new GrpcError('UNAVAILABLE', `the connection was lost: ${error.message}`, { cause: error, neverProcessed }),
    )
  }

  /** Sends the first messages of the call. */
  protected abstract started(connection: Http2Connection, stream: Http2Stream): void
  protected abstract received(message: Uint8Array): void
  /** Called exactly once, with undefined on success. */
  protected abstract ended(error: GrpcError | undefined): void

  /** Returns received bytes to the flow-control window. */
  protected consumed(length: number): void {
    this.#connection.consume(this.stream!, length)
  }

  #finish(error: GrpcError | undefined): void {
    const problem =
      error ?? (this.#assembler.isPartial ? new GrpcError('INTERNAL', 'the answer ends within a message') : undefined)
    // The response is complete, so the server does not need the rest of the request.
    if (this.stream?.localEnded === false) this.#connection.reset(this.stream, http2Codes.NO_ERROR)
    this.#end(problem)
  }

  #end(error: GrpcError | undefined): void {
    if (this.#ended) return
    this.#ended = true
    this.#release?.()
    this.#assembler.release()
    clearTimeout(this.#timer)
    this.ended(error)
  }
}

function cancelled(signal: AbortSignal): GrpcError {
  const reason = abortReason(signal)
  return new GrpcError('CANCELLED', `the call was cancelled: ${reason.message}`, { cause: reason })
}

function deadlineExceeded(timeout: number): GrpcError {
  return new GrpcError('DEADLINE_EXCEEDED', `there was no answer within ${timeout} ms`)
}
