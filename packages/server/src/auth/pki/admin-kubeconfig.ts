import type { KeyedCertificate } from './authority.ts'
import { writePrivateFile } from './private-file.ts'

export interface AdminKubeconfigOptions {
  /** URL of the server, such as `https://127.0.0.1:6443`. */
  readonly server: string
  /** CA certificate in PEM. */
  readonly authority: string
  readonly admin: KeyedCertificate
  /** TLS server name to request and verify. Default: the host of `server`. */
  readonly serverName?: string | undefined
}

/**
 * Creates the kubeconfig of the admin user: the current context `base` uses the server's URL, `root` the path of the
 * logical cluster root. Certificates are embedded, so that the file works wherever it is copied.
 */
export function adminKubeconfig({ server, authority, admin, serverName }: AdminKubeconfigOptions): string {
  const base = server.replace(/\/+$/, '')
  const servers = { base, root: `${base}/clusters/root` }
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    ...Object.entries(servers).flatMap(([name, url]) => [
      `- name: ${name}`,
      '  cluster:',
      `    server: ${JSON.stringify(url)}`,
      `    certificate-authority-data: ${base64(authority)}`,
      ...(serverName === undefined ? [] : [`    tls-server-name: ${JSON.stringify(serverName)}`]),
    ]),
    'users:',
    '- name: admin',
    '  user:',
    `    client-certificate-data: ${base64(admin.certificate)}`,
    `    client-key-data: ${base64(admin.key)}`,
    'contexts:',
    ...Object.keys(servers).flatMap((name) => [
      `- name: ${name}`,
      '  context:',
      `    cluster: ${name}`,
      '    user: admin',
    ]),
    'current-context: base',
    '',
  ].join('\n')
}

/** Writes the kubeconfig, readable only by its owner. */
export function writeAdminKubeconfig(file: string, options: AdminKubeconfigOptions): Promise<void> {
  return writePrivateFile(file, adminKubeconfig(options))
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
