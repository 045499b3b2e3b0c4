/** An invalid document, or one beyond the limits on depth or size. The message has kube-apiserver's wording. */
export class JsonError extends Error {
  /** The position of the offending character in UTF-16 code units; undefined when the error has no single position. */
  readonly offset: number | undefined

  constructor(message: string, offset?: number) {
    super(message)
    this.name = 'JsonError'
    this.offset = offset
  }
}
