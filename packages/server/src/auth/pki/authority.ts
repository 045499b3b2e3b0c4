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

/** A certificate with its private key, in PEM. */
export interface KeyedCertificate {
  readonly certificate: string
  readonly key: string
}

export interface IssueOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Default: 365. Limited by the authority's own expiry. */
  readonly days?: number
}

/** Signs the certificates of a server and its clients. */
export interface Authority {
  /** The CA certificate in PEM. */
  readonly certificate: string
  /** Issues a certificate with a new key for a server with these DNS names and IP addresses. */
  issueServer(hosts: readonly string[], options: IssueOptions): KeyedCertificate
  /** Issues a client certificate with a new key for a user with groups. */
  issueClient(user: CertificateSubject, options: IssueOptions): KeyedCertificate
}

/** Creates an ECDSA P-256 key in PEM. */
export function createKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

/** Creates a self-signed CA certificate for a key. */
export function createAuthorityCertificate(key: string, commonName: string, options: IssueOptions): string {
  const privateKey = createPrivateKey(key)
  const names = { issuer: undefined, subject: { commonName }, publicKey: createPublicKey(privateKey) }
  const validity = { notBefore: options.now - skew, notAfter: options.now + (options.days ?? 3650) * day }
  return signCertificate({ serial: serialNumber(), ...names, ...validity, purpose: { kind: 'authority' } }, privateKey)
}

/** Creates an authority from a CA certificate and its key. */
export function authorityFrom({ certificate, key }: KeyedCertificate): Authority {
  const issuer = createIssuer(new X509Certificate(certificate), createPrivateKey(key))
  return {
    certificate,
    issueServer: (hosts, options) => issuer({ commonName: 'hykube' }, { kind: 'server', hosts }, options),
    issueClient: (user, options) => issuer(user, { kind: 'client' }, options),
  }
}

/** Common name of created authorities. */
export const authorityName = 'hykube-ca'

const day = 24 * 60 * 60 * 1000
// Certificates are valid from a little earlier, for clocks that are behind.
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

// 127 random bits: positive and unique.
function serialNumber(): Uint8Array {
  const bytes = randomBytes(16)
  bytes[0] = bytes[0]! & 0x7f || 1
  return bytes
}
