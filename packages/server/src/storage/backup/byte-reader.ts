import { StorageError } from '../storage-error.ts'

/** Reads exact amounts from a byte stream. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #taken: (bytes: Uint8Array) => void
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Uint8Array>, taken: (bytes: Uint8Array) => void) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#taken = taken
  }

  /** Reads `length` bytes as a copy; throws `corrupt` when the stream ends before. */
  async take(length: number): Promise<Buffer> {
    await this.#fill(() => this.#rest.length >= length)
    return this.#cut(length)
  }

  /** Reads a line without its end; throws `corrupt` when it is longer than `most` bytes. */
  async line(most: number): Promise<string> {
    await this.#fill(() => this.#rest.includes(10) || this.#rest.length > most)
    const end = this.#rest.indexOf(10)
    if (end < 0 || end > most) return ''
    return this.#cut(end + 1).toString('utf8', 0, end)
  }

  async #fill(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) {
      const { done, value } = await this.#chunks.next()
      if (done === true) throw new StorageError('corrupt', 'cannot read the backup: it ends too early')
      this.#rest = Buffer.concat([this.#rest, value])
    }
  }

  #cut(length: number): Buffer {
    const bytes = Buffer.from(this.#rest.subarray(0, length))
    this.#rest = this.#rest.subarray(length)
    this.#taken(bytes)
    return bytes
  }
}
