/** A label or field selector that cannot be parsed. The message is Kubernetes'. */
export class SelectorError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SelectorError'
  }
}
