/** A source, version or constraint that can't be read. The message says what was read and how it is written. */
export class SourceError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SourceError'
  }
}
