/** Messages between a stream and the one reader who takes them at its own pace. */
export class MessageQueue implements AsyncIterable<Uint8Array> {
  readonly #onTaken: () => void
  readonly #onLeft: () => void
  #messages: Uint8Array[] = []
  #bytes = 0
  #ended = false
  #error: Error | undefined
  #wake: (() => void) | undefined

  /** `onTaken` is called after a message was taken, `onLeft` when the reader stops before the end. */
  constructor(onTaken: () => void, onLeft: () => void) {
    this.#onTaken = onTaken
    this.#onLeft = onLeft
  }

  /** How many bytes wait for the reader. */
  get bytes(): number {
    return this.#bytes
  }

  push(message: Uint8Array): void {
    if (this.#ended) return
    this.#messages.push(message)
    this.#bytes += message.length
    this.#wakeReader()
  }

  /** Nothing follows; with an error the reader gets it after the messages that are here. */
  end(error?: Error): void {
    if (this.#ended) return
    this.#ended = true
    this.#error = error
    this.#wakeReader()
  }

  /** The next message, undefined after the last. */
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
