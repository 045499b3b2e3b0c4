/** A document that is not JSON, or not JSON that is accepted here. The message is in the words of kube-apiserver. */
export class JsonError extends Error {
  /** The offset of the character that could not be read, in UTF-16 units; undefined when there is no one place. */
  readonly offset: number | undefined

  constructor(message: string, offset?: number) {
    super(message)
    this.name = 'JsonError'
    this.offset = offset
  }
}
