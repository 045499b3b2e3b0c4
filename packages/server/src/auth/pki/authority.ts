import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto'
import { type CertificatePurpose, type CertificateSubject, signCertificate } from './certificate.ts'
import { certificateFacts } from './certificate-facts.ts'

/** A certificate with the key that belongs to it, both in PEM. */
export interface KeyedCertificate {
  readonly certificate: string
  readonly key: string
}

export interface IssueOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Default: 365. Never longer than the authority itself. */
  readonly days?: number
}

/** Whoever signs the certificates of a server and its clients. */
export interface Authority {
  /** The authority's own certificate, in PEM: what clients and servers are given to trust. */
  readonly certificate: string
  /** A certificate for a server that is reached under these DNS names and IP addresses, with a new key. */
  issueServer(hosts: readonly string[], options: IssueOptions): KeyedCertificate
  /** A certificate by which a client is this user in these groups, with a new key. */
  issueClient(user: CertificateSubject, options: IssueOptions): KeyedCertificate
}

/** A new ECDSA P-256 key in PEM. */
export function createKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

/** A certificate, signed by the key itself, that makes the key an authority. */
export function createAuthorityCertificate(key: string, commonName: string, options: IssueOptions): string {
  const privateKey = createPrivateKey(key)
  const names = { issuer: undefined, subject: { commonName }, publicKey: createPublicKey(privateKey) }
  const validity = { notBefore: options.now - skew, notAfter: options.now + (options.days ?? 3650) * day }
  return signCertificate({ serial: serialNumber(), ...names, ...validity, purpose: { kind: 'authority' } }, privateKey)
}

/** The authority that this certificate and key make. The two must belong together. */
export function authorityFrom({ certificate, key }: KeyedCertificate): Authority {
  const issuer = createIssuer(new X509Certificate(certificate), createPrivateKey(key))
  return {
    certificate,
    issueServer: (hosts, options) => issuer({ commonName: 'hykube' }, { kind: 'server', hosts }, options),
    issueClient: (user, options) => issuer(user, { kind: 'client' }, options),
  }
}

/** The name every authority made here carries. */
export const authorityName = 'hykube-ca'

const day = 24 * 60 * 60 * 1000
// Clocks of other machines may be a little behind.
const skew = 5 * 60 * 1000

type Issue = (subject: CertificateSubject, purpose: CertificatePurpose, options: IssueOptions) => KeyedCertificate

function createIssuer(authority: X509Certificate, authorityKey: KeyObject): Issue {
  const { subject: name, subjectKeyIdentifier: keyIdentifier } = certificateFacts(authority)
  return (subject, purpose, { now, days = 365 }) => {
    const key = createKey()
    const certificate = signCertificate(
      {
        serial: serialNumber(),
        issuer: { name, keyIdentifier },
        subject,
        publicKey: createPublicKey(key),
        notBefore: now - skew,
        notAfter: Math.min(now + days * day, Date.parse(authority.validTo)),
        purpose,
      },
      authorityKey,
    )
    return { certificate, key }
  }
}

// 127 random bits: positive, and never the same twice.
function serialNumber(): Uint8Array {
  const bytes = randomBytes(16)
  bytes[0] = bytes[0]! & 0x7f || 1
  return bytes
}
