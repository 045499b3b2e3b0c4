/** Messages between a stream and its single reader, who takes them at its own pace. */
export class MessageQueue implements AsyncIterable<Uint8Array> {
  readonly #onTaken: () => void
  readonly #onLeft: () => void
  #messages: Uint8Array[] = []
  #bytes = 0
  #ended = false
  #error: Error | undefined
  #wake: (() => void) | undefined

  /** `onTaken` runs after each message was taken, `onLeft` when the reader's loop ends. */
  constructor(onTaken: () => void, onLeft: () => void) {
    this.#onTaken = onTaken
    this.#onLeft = onLeft
  }

  /** Bytes queued for the reader. */
  get bytes(): number {
    return this.#bytes
  }

  push(message: Uint8Array): void {
    if (this.#ended) return
    this.#messages.push(message)
    this.#bytes += message.length
    this.#wakeReader()
  }

  /** Closes the queue. The reader first receives the queued messages, then the error. */
  end(error?: Error): void {
    if (this.#ended) return
    this.#ended = true
    this.#error = error
    this.#wakeReader()
  }

  /** Returns the next message, or undefined after the last. */
  async take(): Promise<Uint8Array | undefined> {
    for (;;) {
      const message = this.#messages.shift()
      if (message !== undefined) {
        this.#bytes -= message.length
        this.#onTaken()
        return message
      }
      if (this.#error !== undefined) throw this.#error
      if (this.#ended) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const message = await this.take()
        if (message === undefined) return
        yield message
      }
    } finally {
      this.#onLeft()
    }
  }

  #wakeReader(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}
