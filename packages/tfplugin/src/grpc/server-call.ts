import type { Http2Connection, Http2Stream, StreamEvents } from '@hykube/http2/connection'
import { encodeHeaders, fieldValue, type HeaderField } from '@hykube/http2/hpack'
import { timeoutFromText, trailersFor } from './call-status.ts'
import { GrpcError } from './grpc-error.ts'
import { MessageAssembler } from './message-assembler.ts'
import { MessageQueue } from './message-queue.ts'
import { sendMessage } from './send-message.ts'

/** Information about the current call for its handler. */
export interface ServerCallContext {
  /** Aborts when the client cancels, its deadline passes or the connection ends. */
  readonly signal: AbortSignal
  readonly headers: readonly HeaderField[]
}

/** Implements a method. A thrown GrpcError is sent as the call's status, any other error as UNKNOWN. */
export type GrpcHandler =
  | {
      readonly kind: 'unary'
      handle(request: Uint8Array, context: ServerCallContext): Promise<Uint8Array> | Uint8Array
    }
  | {
      readonly kind: 'server-stream'
      handle(request: Uint8Array, context: ServerCallContext): AsyncIterable<Uint8Array>
    }
  | {
      readonly kind: 'bidi'
      handle(requests: AsyncIterable<Uint8Array>, context: ServerCallContext): AsyncIterable<Uint8Array>
    }

/** Server side of one call. */
export class ServerCall implements StreamEvents {
  readonly #connection: Http2Connection
  readonly #handler: GrpcHandler | undefined
  readonly #assembler: MessageAssembler
  readonly #requests: MessageQueue
  readonly #abort = new AbortController()
  readonly #context: ServerCallContext
  readonly #timer: NodeJS.Timeout | undefined
  #stream: Http2Stream | undefined
  #unconsumed = 0
  #answered = false
  #done = false

  constructor(
    connection: Http2Connection,
    handler: GrpcHandler | undefined,
    fields: readonly HeaderField[],
    largestMessage: number,
  ) {
    this.#connection = connection
    this.#handler = handler
    this.#assembler = new MessageAssembler(largestMessage)
    this.#requests = new MessageQueue(
      () => this.#consume(),
      () => {},
    )
    this.#context = { signal: this.#abort.signal, headers: fields }
    const timeout = timeoutFromText(fieldValue(fields, 'grpc-timeout'))
    if (timeout !== undefined) {
      const late = () => this.#finish(new GrpcError('DEADLINE_EXCEEDED', 'the deadline has passed'))
      this.#timer = setTimeout(late, Math.min(timeout, 2 ** 31 - 1))
    }
  }

  begin(stream: Http2Stream, endStream: boolean): void {
    this.#stream = stream
    if (endStream) this.#requests.end()
    if (this.#handler === undefined) this.#finish(new GrpcError('UNIMPLEMENTED', 'there is no such method'))
    else void this.#run(this.#handler)
  }

  headers(_fields: readonly HeaderField[], endStream: boolean): void {
    if (endStream) this.#requests.end()
  }

  data(bytes: Buffer, endStream: boolean): void {
    try {
      this.#assembler.push(bytes, (message) => this.#requests.push(message))
    } catch (error) {
      this.#finish(error as GrpcError)
      return
    }
    this.#unconsumed += bytes.length
    this.#consume()
    if (endStream) this.#requests.end()
  }

  reset(): void {
    this.#cancel(new Error('the client cancelled the call'))
  }

  lost(error: Error): void {
    this.#cancel(error)
  }

  async #run(handler: GrpcHandler): Promise<void> {
    try {
      if (handler.kind === 'unary') await this.#send(await handler.handle(await this.#onlyRequest(), this.#context))
      else {
        const requests = handler.kind === 'bidi' ? this.#requests : await this.#onlyRequest()
        const responses = handler.handle(requests as never, this.#context)
        for await (const response of responses) {
          if (this.#done) return
          await this.#send(response)
        }
      }
      this.#finish(undefined)
    } catch (error) {
      this.#finish(error instanceof GrpcError ? error : new GrpcError('UNKNOWN', (error as Error).message))
    }
  }

  async #onlyRequest(): Promise<Uint8Array> {
    const request = await this.#requests.take()
    if (request === undefined) throw new GrpcError('INTERNAL', 'the call came without a message')
    return request
  }

  async #send(message: Uint8Array): Promise<void> {
    if (this.#done || this.#stream === undefined) return
    this.#answer()
    sendMessage(this.#connection, this.#stream, message, false)
    if (this.#stream.queue.length > 0) await this.#stream.drained()
  }

  #answer(): void {
    if (this.#answered) return
    this.#answered = true
    this.#connection.sendHeaders(this.#stream!, answerBlock, false)
  }

  #finish(error: GrpcError | undefined): void {
    if (this.#done) return
    this.#end()
    const stream = this.#stream
    if (stream === undefined) return
    if (error === undefined) this.#answer()
    const trailers = error === undefined ? successBlock : encodeHeaders(trailersFor(error))
    // Trailers end the stream, so they wait until queued messages were sent.
    void stream.drained().then(() => {
      // An error before the first message is a Trailers-Only response: status headers and trailers in one block.
      const block = this.#answered ? trailers : Buffer.concat([answerBlock, trailers])
      this.#connection.sendHeaders(stream, block, true)
      if (error !== undefined) this.#abort.abort(error)
    })
  }

  #cancel(reason: Error): void {
    if (this.#done) return
    this.#end()
    this.#requests.end(new GrpcError('CANCELLED', reason.message))
    this.#abort.abort(reason)
  }

  #end(): void {
    this.#done = true
    clearTimeout(this.#timer)
  }

  #consume(): void {
    if (this.#stream === undefined || this.#unconsumed === 0 || this.#requests.bytes > maxQueuedBytes) return
    this.#connection.consume(this.#stream, this.#unconsumed)
    this.#unconsumed = 0
  }
}

// The window is returned only while less than 256 KiB wait for the handler: a slow handler slows the client.
const maxQueuedBytes = 1 << 18
const answerBlock = encodeHeaders([
  [':status', '200'],
  ['content-type', 'application/grpc'],
])
const successBlock = encodeHeaders(trailersFor(undefined))
