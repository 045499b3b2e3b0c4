import type { KeyedCertificate } from './authority.ts'
import { writePrivateFile } from './private-file.ts'

export interface AdminKubeconfigOptions {
  /** Where the server answers, as `https://127.0.0.1:6443`. */
  readonly server: string
  /** The authority's certificate in PEM. */
  readonly authority: string
  readonly admin: KeyedCertificate
  /** The name to ask for in the TLS handshake, and to expect in the certificate. Default: the host of `server`. */
  readonly serverName?: string | undefined
}

/**
 * The kubeconfig of the admin user: context `base` for the server as it is, which is the current one, and `root` for the
 * logical cluster root by its own path. Certificates are embedded, so that the file works wherever it is copied.
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

/** Puts the kubeconfig in place, readable by its owner alone. */
export function writeAdminKubeconfig(file: string, options: AdminKubeconfigOptions): Promise<void> {
  return writePrivateFile(file, adminKubeconfig(options))
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
