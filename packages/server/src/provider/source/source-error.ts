/** A source, version or constraint that can't be parsed. The message quotes it and shows the expected syntax. */
export class SourceError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SourceError'
  }
}
