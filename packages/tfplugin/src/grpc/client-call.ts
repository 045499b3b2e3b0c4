import { abortReason, onAbort } from '@hykube/machinery/base'
import {
  type HeaderField,
  type Http2Connection,
  type Http2Stream,
  http2Codes,
  type StreamEvents,
} from '../http2/index.ts'
import { errorFromHttp, errorFromTrailers } from './call-status.ts'
import { GrpcError } from './grpc-error.ts'
import { type HeldBytes, MessageAssembler } from './message-assembler.ts'
import { grpcErrorFromReset } from './reset-status.ts'

export interface CallOptions {
  /** Cancels the call, here and on the other side. */
  readonly signal?: AbortSignal
  /** Milliseconds after which the call fails with DEADLINE_EXCEEDED. Default none. */
  readonly timeout?: number
  /** The largest message that is accepted in answer, in bytes. Default: what the client accepts. */
  readonly largestAnswer?: number
}

/** What a connection allows each of its calls, and all of them together. */
export interface CallLimits {
  readonly largestMessage: number
  readonly held: HeldBytes
}

/** What kinds of calls have in common: a call is started once, ends once, and hears from its stream in between. */
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

  /** From now on the signal and the deadline end the call. */
  arm(): void {
    const { signal, timeout } = this.options
    if (signal !== undefined) this.#release = onAbort(signal, () => this.fail(cancelled(signal)))
    if (timeout !== undefined && !this.#ended) this.#timer = setTimeout(() => this.fail(tooLate(timeout)), timeout)
  }

  get hasEnded(): boolean {
    return this.#ended
  }

  /** Begins on a stream of its own. */
  begin(stream: Http2Stream): void {
    this.stream = stream
    this.started(this.#connection, stream)
  }

  /** Ends with an error, and tells the other side if it does not know. */
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

  /** Sends what the call begins with. */
  protected abstract started(connection: Http2Connection, stream: Http2Stream): void
  protected abstract received(message: Uint8Array): void
  /** Called once. */
  protected abstract ended(error: GrpcError | undefined): void

  /** Lets the other side send more. */
  protected consumed(length: number): void {
    this.#connection.consume(this.stream!, length)
  }

  #finish(error: GrpcError | undefined): void {
    const problem =
      error ?? (this.#assembler.isPartial ? new GrpcError('INTERNAL', 'the answer ends within a message') : undefined)
    // The other side has said all; ours may have more to say that nobody wants to hear.
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

function tooLate(timeout: number): GrpcError {
  return new GrpcError('DEADLINE_EXCEEDED', `there was no answer within ${timeout} ms`)
}
