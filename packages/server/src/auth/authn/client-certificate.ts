import { createHash, X509Certificate } from 'node:crypto'
import { type Clock, messageOf, systemClock } from '@hykube/machinery/base'
import { type CertificateFacts, certificateFacts } from '../pki/certificate-facts.ts'
import { credentialIdKey } from '../user-info.ts'
import { type CredentialOutcome, refused, unknown } from './identity.ts'

/** Authenticates client certificates. */
export interface CertificateAuthenticator {
  /** Returns the user of a certificate: its common name, with its organizations as groups. */
  authenticate(certificate: X509Certificate | undefined): CredentialOutcome
}

export interface CertificateAuthenticatorOptions {
  /** Trusted CA certificates: PEM texts with one or several each. */
  readonly authorities: readonly string[]
  /** Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Verifies certificates against the authorities. The result is cached by certificate object; the validity period is
 * checked on every request, so that a connection ends with its certificate.
 */
export function createCertificateAuthenticator(options: CertificateAuthenticatorOptions): CertificateAuthenticator {
  const clock = options.clock ?? systemClock
  const anchors = options.authorities.flatMap(certificatesIn).map(linkFrom)
  const known = new WeakMap<X509Certificate, Verified>()
  return {
    authenticate(certificate) {
      if (certificate === undefined) return unknown
      const verified = known.get(certificate) ?? verify(certificate, anchors)
      known.set(certificate, verified)
      const now = clock.now()
      if (verified.outcome.kind !== 'authenticated') return verified.outcome
      if (now < verified.notBefore) return refused('the client certificate is not valid yet')
      return now > verified.notAfter ? refused('the client certificate has expired') : verified.outcome
    },
  }
}

/** Parses the certificates in a PEM text, such as `--client-ca-file`; throws when there are none. */
export function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  if (blocks === null) throw new Error('cannot read certificates: there is no PEM block of the type CERTIFICATE')
  return blocks.map((block) => new X509Certificate(block))
}

interface Verified {
  readonly outcome: CredentialOutcome
  /** Period in which all certificates of the chain are valid. */
  readonly notBefore: number
  readonly notAfter: number
}

interface Link {
  readonly certificate: X509Certificate
  readonly facts: CertificateFacts
}

// Bounds the work for chains that a client sends.
const maximumIntermediates = 4

function verify(certificate: X509Certificate, anchors: readonly Link[]): Verified {
  try {
    const chain = chainOf(linkFrom(certificate), anchors)
    return {
      outcome: userOf(chain[0]!),
      notBefore: Math.max(...chain.map((link) => Date.parse(link.certificate.validFrom))),
      notAfter: Math.min(...chain.map((link) => Date.parse(link.certificate.validTo))),
    }
  } catch (error) {
    const why = messageOf(error)
    return { outcome: refused(`cannot verify the client certificate: ${why}`), notBefore: 0, notAfter: 0 }
  }
}

// Builds the chain from the leaf to an authority, over intermediates that the client sent.
function chainOf(leaf: Link, anchors: readonly Link[]): readonly Link[] {
  if (!leaf.facts.forClients) throw new Error('it is not valid for clients')
  const chain = [leaf]
  for (let below = 0; below <= maximumIntermediates; below++) {
    const last = chain.at(-1)!
    refuseUnknown(last)
    const anchor = anchors.find((candidate) => mayHaveSigned(candidate, last, below))
    if (anchor !== undefined) return [...chain, anchor]
    const next = last.certificate.issuerCertificate
    if (next === undefined || next.fingerprint256 === last.certificate.fingerprint256) break
    const link = linkFrom(next)
    if (!mayHaveSigned(link, last, below)) break
    chain.push(link)
  }
  throw new Error('it is signed by an unknown authority')
}

// Extended key usages of an authority limit all certificates below it, as in Go and so in kube-apiserver.
function mayHaveSigned({ certificate, facts }: Link, signed: Link, below: number): boolean {
  return (
    facts.isAuthority &&
    facts.maySign &&
    facts.forClients &&
    below <= (facts.pathLength ?? Number.POSITIVE_INFINITY) &&
    signed.certificate.checkIssued(certificate) &&
    signed.certificate.verify(certificate.publicKey)
  )
}

function refuseUnknown({ facts }: Link): void {
  if (facts.unknownCritical.length > 0)
    throw new Error(`its critical extensions ${facts.unknownCritical.join(', ')} are not supported`)
}

function userOf({ certificate, facts }: Link): CredentialOutcome {
  const name = facts.commonNames.at(-1) ?? ''
  if (name === '') return unknown
  if (facts.uids.length > 1 || facts.uids[0] === '') return refused('the client certificate has no single uid')
  const id = createHash('sha256').update(certificate.raw).digest('hex')
  const user = {
    name,
    groups: facts.organizations,
    ...(facts.uids[0] === undefined ? {} : { uid: facts.uids[0] }),
    extra: { [credentialIdKey]: [`X509SHA256=${id}`] },
  }
  return { kind: 'authenticated', identity: { user } }
}

function linkFrom(certificate: X509Certificate): Link {
  return { certificate, facts: certificateFacts(certificate) }
}
