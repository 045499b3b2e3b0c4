/** The Node-specific parts of the client, which a browser must not load: kubeconfig files and HTTPS with certificates. */
export { ConnectionError, createHttpsTransport, type HttpsTransport } from './https-transport.ts'
export type { ClusterAccess, KubeconfigChoice } from './kubeconfig.ts'
export { KubeconfigError } from './kubeconfig-error.ts'
export { kubeconfigFiles, loadKubeconfig } from './load-kubeconfig.ts'
