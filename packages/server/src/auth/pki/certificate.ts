import { createHash, type KeyObject, sign } from 'node:crypto'
import {
  ascii,
  bitString,
  boolean,
  explicit,
  implicit,
  namedBits,
  type ObjectIdentifier,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  smallInteger,
  time,
  unsignedInteger,
  utf8String,
} from './der.ts'
import { identifiers } from './identifiers.ts'
import { ipAddressBytes } from './ip-address.ts'

/** Subject of a certificate: in Kubernetes a user and its groups. */
export interface CertificateSubject {
  readonly commonName: string
  readonly organizations?: readonly string[]
}

/** Content of a certificate. */
export interface CertificateContent {
  /** Big-endian; at most 20 bytes, positive. */
  readonly serial: Uint8Array
  /** Signer; undefined for a self-signed certificate. */
  readonly issuer: CertificateIssuer | undefined
  readonly subject: CertificateSubject
  readonly publicKey: KeyObject
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
  readonly purpose: CertificatePurpose
}

/** The signer, as in its own certificate. */
export interface CertificateIssuer {
  /** Subject in DER. */
  readonly name: Uint8Array
  /** Subject key identifier, if it has one. */
  readonly keyIdentifier: Uint8Array | undefined
}

export type CertificatePurpose =
  | { readonly kind: 'authority' }
  /** Hosts are DNS names or IP addresses. */
  | { readonly kind: 'server'; readonly hosts: readonly string[] }
  | { readonly kind: 'client' }

/** Creates a certificate in PEM, signed with an ECDSA P-256 key. */
export function signCertificate(content: CertificateContent, issuerKey: KeyObject): string {
  const toBeSigned = sequence(
    explicit(0, smallInteger(2)), // version 3
    unsignedInteger(content.serial),
    signatureAlgorithm,
    content.issuer?.name ?? nameOf(content.subject),
    sequence(time(content.notBefore), time(content.notAfter)),
    nameOf(content.subject),
    publicKeyInfo(content.publicKey),
    explicit(3, sequence(...extensionsOf(content))),
  )
  const signature = sign('sha256', toBeSigned, { key: issuerKey, dsaEncoding: 'der' })
  return pem('CERTIFICATE', sequence(toBeSigned, signatureAlgorithm, bitString(signature)))
}

const signatureAlgorithm = sequence(objectIdentifier(identifiers.ecdsaWithSha256))

// Bit numbers of key usage (RFC 5280, section 4.2.1.3).
const digitalSignature = 0
const keyCertSign = 5
const crlSign = 6

function extensionsOf({ purpose, publicKey, issuer }: CertificateContent): Uint8Array[] {
  const own = keyIdentifier(publicKey)
  const signer = issuer === undefined ? own : issuer.keyIdentifier
  return [
    ...usageExtensions(purpose),
    extension(identifiers.subjectKeyIdentifier, octetString(own)),
    ...(signer === undefined ? [] : [extension(identifiers.authorityKeyIdentifier, sequence(implicit(0, signer)))]),
  ]
}

function usageExtensions(purpose: CertificatePurpose): Uint8Array[] {
  switch (purpose.kind) {
    case 'authority':
      return [
        critical(identifiers.basicConstraints, sequence(boolean(true))),
        critical(identifiers.keyUsage, namedBits(digitalSignature, keyCertSign, crlSign)),
      ]
    case 'server':
      return [
        ...leafExtensions(identifiers.serverAuth),
        extension(identifiers.subjectAltName, sequence(...purpose.hosts.map(generalName))),
      ]
    case 'client':
      return leafExtensions(identifiers.clientAuth)
  }
}

function leafExtensions(use: ObjectIdentifier): Uint8Array[] {
  return [
    critical(identifiers.basicConstraints, sequence()),
    critical(identifiers.keyUsage, namedBits(digitalSignature)),
    extension(identifiers.extendedKeyUsage, sequence(objectIdentifier(use))),
  ]
}

function extension(id: ObjectIdentifier, value: Uint8Array): Uint8Array {
  return sequence(objectIdentifier(id), octetString(value))
}

function critical(id: ObjectIdentifier, value: Uint8Array): Uint8Array {
  return sequence(objectIdentifier(id), boolean(true), octetString(value))
}

function generalName(host: string): Uint8Array {
  const address = ipAddressBytes(host)
  return address === undefined ? implicit(2, ascii(host)) : implicit(7, address)
}

function nameOf({ commonName, organizations = [] }: CertificateSubject): Uint8Array {
  const parts: [ObjectIdentifier, string][] = [
    ...organizations.map((name): [ObjectIdentifier, string] => [identifiers.organization, name]),
    [identifiers.commonName, commonName],
  ]
  return sequence(...parts.map(([id, text]) => setOf(sequence(objectIdentifier(id), utf8String(text)))))
}

function publicKeyInfo(key: KeyObject): Uint8Array {
  return key.export({ type: 'spki', format: 'der' })
}

// RFC 7093, method 1, over the whole public key info: any value is valid that is equal for equal keys.
function keyIdentifier(key: KeyObject): Uint8Array {
  return createHash('sha256').update(publicKeyInfo(key)).digest().subarray(0, 20)
}

function pem(label: string, content: Uint8Array): string {
  const lines = Buffer.from(content)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}
