import type { Http2Connection, Http2Stream } from '../http2/index.ts'
import { type CallLimits, type CallOptions, ClientCall } from './client-call.ts'
import { GrpcError } from './grpc-error.ts'
import { MessageQueue } from './message-queue.ts'
import { sendMessage } from './send-message.ts'

/** Messages in both directions, each side at its own pace. */
export class StreamCall extends ClientCall {
  readonly messages: MessageQueue
  #connection: Http2Connection | undefined
  #waiting: { readonly message: Uint8Array | undefined; readonly sent: () => void }[] = []
  #unconsumed = 0

  constructor(connection: Http2Connection, limits: CallLimits, options: CallOptions) {
    super(connection, limits, options)
    this.messages = new MessageQueue(
      () => this.#consumeLate(),
      () => this.fail(new GrpcError('CANCELLED', 'the reader stopped')),
    )
  }

  /** Resolves when the message was handed to the socket; a call that has ended takes it and drops it. */
  async send(message: Uint8Array): Promise<void> {
    if (this.hasEnded) return
    const { stream } = this
    if (stream === undefined || this.#connection === undefined) {
      return new Promise((resolve) => this.#waiting.push({ message, sent: resolve }))
    }
    sendMessage(this.#connection, stream, message, false)
    await stream.drained()
  }

  /** Says that nothing more will be sent. */
  end(): void {
    if (this.stream === undefined) this.#waiting.push({ message: undefined, sent: () => {} })
    else this.#connection?.send(this.stream, nothing, true)
  }

  protected override started(connection: Http2Connection, stream: Http2Stream): void {
    this.#connection = connection
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

  // While the reader is behind, the other side has to wait.
  protected override consumed(length: number): void {
    this.#unconsumed += length
    this.#consumeLate()
  }

  #consumeLate(): void {
    if (this.#unconsumed === 0 || this.messages.bytes > enough || this.hasEnded) return
    super.consumed(this.#unconsumed)
    this.#unconsumed = 0
  }
}

const enough = 1 << 18
const nothing = new Uint8Array(0)
