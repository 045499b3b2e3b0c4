/** A selector that can't be understood; the message is in Kubernetes' words. */
export class SelectorError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SelectorError'
  }
}
