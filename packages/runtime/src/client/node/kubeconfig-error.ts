/** A kubeconfig that can't be used; the message says what to change. */
export class KubeconfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'KubeconfigError'
  }
}
