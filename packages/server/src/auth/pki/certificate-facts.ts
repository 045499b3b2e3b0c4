import type { X509Certificate } from 'node:crypto'
import { tagged } from './der.ts'
import { childrenOf, type DerValue, identifierOf, readAll, readOne, textOf } from './der-reader.ts'
import { identifiers } from './identifiers.ts'

/** Fields of a certificate that Node's X509Certificate does not expose, or only as text. */
export interface CertificateFacts {
  /** Subject in DER, the issuer name of certificates it signs. */
  readonly subject: Uint8Array
  /** All common names of the subject, in order. */
  readonly commonNames: readonly string[]
  readonly organizations: readonly string[]
  /** Values of Kubernetes' attribute for a user's uid. */
  readonly uids: readonly string[]
  readonly isAuthority: boolean
  /** Maximum number of intermediate authorities below this one; undefined: unlimited. */
  readonly pathLength: number | undefined
  /** May sign certificates: its key usage allows it, or it has no key usage. */
  readonly maySign: boolean
  /** Valid for clients: its extended key usage allows it, or it has none. */
  readonly forClients: boolean
  /** Identifies its key in the certificates it signs. */
  readonly subjectKeyIdentifier: Uint8Array | undefined
  /** Critical extensions that are not supported: a certificate with any must be rejected. */
  readonly unknownCritical: readonly string[]
}

/** Parses a certificate; throws DerError when it is malformed. */
export function certificateFacts(certificate: X509Certificate): CertificateFacts {
  const [toBeSigned] = childrenOf(readOne(certificate.raw), 0x30)
  const fields = childrenOf(toBeSigned, 0x30)
  // [0] version (absent in old certificates), serial, algorithm, issuer, validity, subject, key, [3] extensions.
  const subject = fields[fields[0]?.tag === 0xa0 ? 5 : 4]
  const names = namesOf(subject)
  const extensions = extensionsOf(fields.find((field) => field.tag === 0xa3))
  return {
    subject: tagged(0x30, subject!.content),
    commonNames: names.get(identifiers.commonName) ?? [],
    organizations: names.get(identifiers.organization) ?? [],
    uids: names.get(identifiers.userUid) ?? [],
    ...basicConstraints(extensions.get(identifiers.basicConstraints)),
    maySign: hasKeyUsage(extensions.get(identifiers.keyUsage), 5),
    forClients: hasPurpose(extensions.get(identifiers.extendedKeyUsage), identifiers.clientAuth),
    subjectKeyIdentifier: octets(extensions.get(identifiers.subjectKeyIdentifier)),
    unknownCritical: [...extensions].filter(([id, { critical }]) => critical && !understood.has(id)).map(([id]) => id),
  }
}

interface Extension {
  readonly critical: boolean
  readonly value: Uint8Array
}

const understood: ReadonlySet<string> = new Set([
  identifiers.basicConstraints,
  identifiers.keyUsage,
  identifiers.extendedKeyUsage,
  identifiers.subjectAltName,
])

function namesOf(name: DerValue | undefined): Map<string, string[]> {
  const names = new Map<string, string[]>()
  const attributes = childrenOf(name, 0x30).flatMap((relative) => childrenOf(relative, 0x31))
  for (const attribute of attributes) {
    const [type, value] = childrenOf(attribute, 0x30)
    const id = identifierOf(type)
    if (!wanted.has(id)) continue
    names.set(id, [...(names.get(id) ?? []), textOf(value)])
  }
  return names
}

const wanted: ReadonlySet<string> = new Set([identifiers.commonName, identifiers.organization, identifiers.userUid])

function extensionsOf(field: DerValue | undefined): Map<string, Extension> {
  if (field === undefined) return new Map()
  const list = childrenOf(readOne(field.content), 0x30)
  return new Map(
    list.map((item): [string, Extension] => {
      const parts = childrenOf(item, 0x30)
      const critical = parts.length === 3 && parts[1]!.content[0] !== 0
      return [identifierOf(parts[0]), { critical, value: parts.at(-1)!.content }]
    }),
  )
}

function basicConstraints(extension: Extension | undefined): { isAuthority: boolean; pathLength: number | undefined } {
  if (extension === undefined) return { isAuthority: false, pathLength: undefined }
  const parts = childrenOf(readOne(extension.value), 0x30)
  const isAuthority = parts[0]?.tag === 0x01 && parts[0].content[0] !== 0
  const length = parts.find((part) => part.tag === 0x02)
  return {
    isAuthority,
    pathLength: length === undefined ? undefined : Number(`0x${Buffer.from(length.content).toString('hex')}`),
  }
}

function hasKeyUsage(extension: Extension | undefined, bit: number): boolean {
  if (extension === undefined) return true
  const { content } = readOne(extension.value)
  return ((content[1 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0
}

function hasPurpose(extension: Extension | undefined, purpose: string): boolean {
  if (extension === undefined) return true
  const purposes = childrenOf(readOne(extension.value), 0x30).map(identifierOf)
  return purposes.includes(purpose) || purposes.includes(identifiers.anyExtendedKeyUsage)
}

function octets(extension: Extension | undefined): Uint8Array | undefined {
  return extension === undefined ? undefined : readAll(extension.value)[0]?.content
}
