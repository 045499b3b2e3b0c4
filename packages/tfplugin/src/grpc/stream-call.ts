import type { Http2Connection, Http2Stream } from '@hykube/http2/connection'
import { type CallLimits, type CallOptions, ClientCall } from './client-call.ts'
import { GrpcError } from './grpc-error.ts'
import { MessageQueue } from './message-queue.ts'
import { sendMessage } from './send-message.ts'

/** A call with streams of messages; both sides are paced by flow control. */
export class StreamCall extends ClientCall {
  readonly messages: MessageQueue
  #connection: Http2Connection | undefined
  #waiting: { readonly message: Uint8Array | undefined; readonly sent: () => void }[] = []
  #unconsumed = 0

  constructor(connection: Http2Connection, limits: CallLimits, options: CallOptions) {
    super(connection, limits, options)
    this.messages = new MessageQueue(
      () => this.#returnWindow(),
      () => this.fail(new GrpcError('CANCELLED', 'the reader stopped')),
    )
  }

  /** Resolves when the message was written to the socket. After the call ended, messages are dropped. */
  async send(message: Uint8Array): Promise<void> {
    if (this.hasEnded) return
    const { stream } = this
    if (stream === undefined || this.#connection === undefined) {
      return new Promise((resolve) => this.#waiting.push({ message, sent: resolve }))
    }
    sendMessage(this.#connection, stream, message, false)
    await stream.drained()
  }

  /** Closes the request stream. */
  end(): void {
    if (this.stream === undefined) this.#waiting.push({ message: undefined, sent: () => {} })
    else this.#connection?.send(this.stream, nothing, true)
  }

  protected override started(connection: Http2Connection, stream: Http2Stream): void {
    this.#connection = connection
    // Messages and the end that were queued before the stream was open.
    for (const { message, sent } of this.#waiting.splice(0)) {
      if (message === undefined) connection.send(stream, nothing, true)
      else sendMessage(connection, stream, message, false)
      sent()
    }
  }

  protected override received(message: Uint8Array): void {
    this.messages.push(message)
  }

  protected override ended(error: GrpcError | undefined): void {
    this.messages.end(error)
    for (const { sent } of this.#waiting.splice(0)) sent()
  }

  // The window is returned late while the reader is behind, so the server has to wait.
  protected override consumed(length: number): void {
    this.#unconsumed += length
    this.#returnWindow()
  }

  #returnWindow(): void {
    if (this.#unconsumed === 0 || this.messages.bytes > maxQueuedBytes || this.hasEnded) return
    super.consumed(this.#unconsumed)
    this.#unconsumed = 0
  }
}

const maxQueuedBytes = 1 << 18
const nothing = new Uint8Array(0)
