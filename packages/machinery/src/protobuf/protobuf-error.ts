/** Bytes that do not decode as the expected message, or a value that does not fit its field. */
export class ProtobufError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProtobufError'
  }
}
