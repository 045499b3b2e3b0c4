/** Bytes that are not the message they should be, or a value that a field can't hold. */
export class ProtobufError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProtobufError'
  }
}
