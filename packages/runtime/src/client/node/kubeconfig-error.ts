/** An unusable kubeconfig. The message names the cause and the remedy. */
export class KubeconfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'KubeconfigError'
  }
}
