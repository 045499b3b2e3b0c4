import { createPrivateKey, type KeyObject, randomBytes, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { type Clock, systemClock } from '@hykube/machinery/base'
import {
  type Authority,
  authorityFrom,
  authorityName,
  createAuthorityCertificate,
  createKey,
  type KeyedCertificate,
} from './authority.ts'
import { certificateFacts } from './certificate-facts.ts'
import { ensurePrivateDirectory, readPrivateFile, writePrivateFile } from './private-file.ts'

export interface PkiOptions {
  /** Additional DNS names and IP addresses of the server, beside {@link standardHosts}. Default: none. */
  readonly hosts?: readonly string[]
  /** Default: the system clock. */
  readonly clock?: Clock
}

/** All keys, certificates and tokens of a server. */
export interface Pki {
  readonly authority: Authority
  readonly server: KeyedCertificate
  readonly admin: KeyedCertificate
  /** Signs service account tokens. */
  readonly serviceAccountKey: KeyObject
  /** Token of the same user as the admin certificate. */
  readonly adminToken: string
  /** Names of files created or renewed by this call. */
  readonly written: readonly string[]
}

/** Names of the API inside of a cluster; clients that use them trust the server's own authority. */
export const internalHosts: readonly string[] = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
]

/** Names in every server certificate, for clients inside of the cluster and on the same machine. */
export const standardHosts: readonly string[] = ['localhost', ...internalHosts, '127.0.0.1', '::1']

/** User of the admin certificate and token; its group may do everything. */
export const adminUser = { name: 'admin', groups: ['system:masters'] } as const

/**
 * Creates missing files in the directory (CA, server and admin certificates with keys, `sa.key`, `admin.token`), and
 * renews certificates that expire within 30 days, lack a host or do not match. The CA is never replaced, because
 * clients trust it. Called once at start; two processes must not call it for one directory at the same time.
 */
export async function ensurePki(directory: string, options: PkiOptions = {}): Promise<Pki> {
  await ensurePrivateDirectory(directory)
  const store = new PkiDirectory(directory, (options.clock ?? systemClock).now())
  const authority = await store.authority()
  const hosts = [...new Set([...standardHosts, ...(options.hosts ?? [])])]
  const server = await store.certificate('server', authority, {
    fits: (certificate) => hosts.every((host) => namesHost(certificate, host)),
    issue: () => authority.issueServer(hosts, { now: store.now }),
  })
  const admin = await store.certificate('admin', authority, {
    fits: isAdmin,
    issue: () =>
      authority.issueClient({ commonName: adminUser.name, organizations: adminUser.groups }, { now: store.now }),
  })
  const serviceAccountKey = createPrivateKey(await store.file('sa.key', createKey))
  const adminToken = (await store.file('admin.token', () => `${randomBytes(32).toString('base64url')}\n`)).trim()
  return { authority, server, admin, serviceAccountKey, adminToken, written: store.written }
}

interface Leaf {
  fits(certificate: X509Certificate): boolean
  issue(): KeyedCertificate
}

const renewBefore = 30 * 24 * 60 * 60 * 1000

class PkiDirectory {
  readonly now: number
  readonly written: string[] = []
  readonly #directory: string

  constructor(directory: string, now: number) {
    this.#directory = directory
    this.now = now
  }

  /** Reads a file, creating it when it is missing or empty. */
  async file(name: string, make: () => string): Promise<string> {
    const existing = await readPrivateFile(join(this.#directory, name))
    if (existing !== undefined && existing.trim() !== '') return existing
    const content = make()
    await this.#write(name, content)
    return content
  }

  // The key is written first: after a crash in between, the next start creates the certificate for it.
  async authority(): Promise<Authority> {
    const certificateFile = join(this.#directory, 'ca.crt')
    const existing = await readPrivateFile(certificateFile)
    const existingKey = await readPrivateFile(join(this.#directory, 'ca.key'))
    if (existing !== undefined && existingKey === undefined)
      throw new Error(
        `cannot use ${certificateFile}: ca.key is missing beside it; restore it, or remove ca.crt to create a new CA`,
      )
    const key = await this.file('ca.key', createKey)
    const certificate = await this.file('ca.crt', () =>
      createAuthorityCertificate(key, authorityName, { now: this.now }),
    )
    this.#checkAuthority(certificateFile, certificate, key)
    return authorityFrom({ certificate, key })
  }

  /**
   * Reads `<name>.crt` with its key; issues it again unless it is signed by the authority, not about to expire, and
   * matches.
   */
  async certificate(name: string, authority: Authority, leaf: Leaf): Promise<KeyedCertificate> {
    const certificate = await readPrivateFile(join(this.#directory, `${name}.crt`))
    const key = await readPrivateFile(join(this.#directory, `${name}.key`))
    if (certificate !== undefined && key !== undefined && this.#isUsable({ certificate, key }, authority, leaf))
      return { certificate, key }
    const issued = leaf.issue()
    await this.#write(`${name}.key`, issued.key)
    await this.#write(`${name}.crt`, issued.certificate)
    return issued
  }

  #checkAuthority(file: string, certificate: string, key: string): void {
    const remedy = 'restore both from a backup, or remove ca.crt and ca.key to create a new CA'
    const parsed = parse({ certificate, key })
    if (parsed === undefined) throw new Error(`cannot use ${file}: it does not belong to ca.key; ${remedy}`)
    if (parsed.key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
      throw new Error(`cannot use ${file}: its key is not ECDSA P-256; ${remedy}`)
    if (Date.parse(parsed.certificate.validTo) <= this.now)
      throw new Error(`cannot use ${file}: it expired on ${parsed.certificate.validTo}; ${remedy}`)
  }

  #isUsable(pair: KeyedCertificate, authority: Authority, leaf: Leaf): boolean {
    const parsed = parse(pair)
    if (parsed === undefined) return false
    const issuer = new X509Certificate(authority.certificate)
    return (
      parsed.certificate.checkIssued(issuer) &&
      parsed.certificate.verify(issuer.publicKey) &&
      Date.parse(parsed.certificate.validFrom) <= this.now &&
      this.#lasts(parsed.certificate, issuer) &&
      leaf.fits(parsed.certificate)
    )
  }

  // A certificate that expires together with its CA cannot be renewed for longer.
  #lasts(certificate: X509Certificate, issuer: X509Certificate): boolean {
    const end = Date.parse(certificate.validTo)
    return end > this.now && (end - this.now > renewBefore || end === Date.parse(issuer.validTo))
  }

  async #write(name: string, content: string): Promise<void> {
    await writePrivateFile(join(this.#directory, name), content)
    this.written.push(name)
  }
}

function parse({ certificate, key }: KeyedCertificate): { certificate: X509Certificate; key: KeyObject } | undefined {
  try {
    const parsed = { certificate: new X509Certificate(certificate), key: createPrivateKey(key) }
    return parsed.certificate.checkPrivateKey(parsed.key) ? parsed : undefined
  } catch {
    return undefined
  }
}

function namesHost(certificate: X509Certificate, host: string): boolean {
  if (isIP(host) !== 0) return certificate.checkIP(host) !== undefined
  return certificate.checkHost(host, { subject: 'never', wildcards: false }) !== undefined
}

function isAdmin(certificate: X509Certificate): boolean {
  const { commonNames, organizations, forClients } = certificateFacts(certificate)
  return forClients && commonNames.join() === adminUser.name && organizations.join() === adminUser.groups.join()
}
