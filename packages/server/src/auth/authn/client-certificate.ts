import { createHash, X509Certificate } from 'node:crypto'
import { type Clock, systemClock } from '@hykube/machinery/base'
import { type CertificateFacts, certificateFacts } from '../pki/certificate-facts.ts'
import { credentialIdKey } from '../user-info.ts'
import { type CredentialOutcome, refused, unknown } from './identity.ts'

/** Knows client certificates. */
export interface CertificateAuthenticator {
  /** The user of a certificate: its common name, in its organizations as groups. */
  authenticate(certificate: X509Certificate | undefined): CredentialOutcome
}

export interface CertificateAuthenticatorOptions {
  /** Certificates of the authorities whose clients are known: PEM texts, each with one or several. */
  readonly authorities: readonly string[]
  /** Default: the machine's. */
  readonly clock?: Clock
}

/**
 * Verifies certificates against the authorities. What a certificate says is found out once and kept with the object, the
 * time is looked at each time: a connection does not outlive its certificate.
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

/** The certificates in a PEM text, as `--client-ca-file` names one; throws when there are none. */
export function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  if (blocks === null) throw new Error('cannot read certificates: the text holds no PEM block of the type CERTIFICATE')
  return blocks.map((block) => new X509Certificate(block))
}

interface Verified {
  readonly outcome: CredentialOutcome
  /** The time in which every certificate of the chain is valid. */
  readonly notBefore: number
  readonly notAfter: number
}

interface Link {
  readonly certificate: X509Certificate
  readonly facts: CertificateFacts
}

// Nobody has more levels; and a client must not make us follow a long chain.
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
    const why = error instanceof Error ? error.message : String(error)
    return { outcome: refused(`cannot verify the client certificate: ${why}`), notBefore: 0, notAfter: 0 }
  }
}

// From the leaf up to one of the authorities, over intermediates that the client sent along.
function chainOf(leaf: Link, anchors: readonly Link[]): readonly Link[] {
  if (!leaf.facts.forClients) throw new Error('it is not meant for clients')
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

// The purposes of an authority bound those of all that it signs, as in Go's verification and so in kube-apiserver's.
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
    throw new Error(`its critical extensions ${facts.unknownCritical.join(', ')} are not understood`)
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
