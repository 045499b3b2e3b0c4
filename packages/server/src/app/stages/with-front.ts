import { join } from 'node:path'
import { internalHosts, writeAdminKubeconfig } from '../../auth/index.ts'
import { type Front, openFront, type ServerCertificate } from '../../http/index.ts'
import { followCertificateFiles } from '../certificate-files.ts'
import type { Logger } from '../logs/logger.ts'
import type { CompleteServeOptions } from '../serve-options.ts'
import type { WithService } from './with-service.ts'

export type WithFront = Awaited<ReturnType<typeof withFront>>

/** Listens on the port and writes the administrator's kubeconfig: afterwards clients are answered. */
export async function withFront(before: WithService) {
  const { options, logger, stopping, pki, serving, failed, access, handler, seats } = before
  const front = await openFront({
    certificate: serving ?? pki.server,
    ...(serving && { internal: { certificate: pki.server, names: internalHosts } }),
    tls: options.tls,
    clientCa: access.clientAuthorities.join('\n'),
    host: options.bind,
    port: options.port,
    handler,
    scheduler: seats.scheduler,
    connections: { total: options.maxConnections, perAddress: options.maxConnectionsPerAddress },
  })
  stopping.add(() => front.close(streamGrace))
  // The server's caches belong to the database that was replaced.
  void failed.then(() => front.close(0))
  if (serving !== undefined) stopping.add(followServingCertificate(options, serving, front, logger))
  const url = `https://${hostOf(options.bind)}:${front.port}`
  await writeAdminKubeconfig(join(options.dataDirectory, 'admin.kubeconfig'), {
    server: url,
    authority: pki.authority.certificate,
    admin: pki.admin,
    // The certificate of the files may have any issuer and name. For this server name the server presents its own certificate.
    serverName: options.certificateFiles === undefined ? undefined : internalHosts.at(-1),
  })
  return { ...before, url }
}

function followServingCertificate(
  { certificateFiles }: CompleteServeOptions,
  first: ServerCertificate,
  front: Front,
  logger: Logger,
): () => Promise<void> {
  const stop = followCertificateFiles(certificateFiles!, first, {
    onChange: (certificate) => {
      front.replaceCertificate(certificate)
      logger.info('serving with the new certificate')
    },
    onProblem: ({ message }) => logger.error('the changed certificate cannot be used', { why: message }),
  })
  return async () => stop()
}

// Milliseconds for in-flight requests when the server stops. Watches end at once.
const streamGrace = 5000

// A wildcard address is reached through localhost.
function hostOf(bind: string): string {
  if (bind === '0.0.0.0' || bind === '::') return '127.0.0.1'
  return bind.includes(':') ? `[${bind}]` : bind
}
