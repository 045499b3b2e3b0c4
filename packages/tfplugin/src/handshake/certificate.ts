import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A self-signed certificate for one connection of a plugin and its host. */
export interface OneTimeCertificate {
  readonly certificatePem: string
  readonly certificateDer: Buffer
  readonly keyPem: string
}

/**
 * Creates a certificate like go-plugin's: ECDSA on P-256, for `localhost`, as client and as server, valid for thirty
 * years.
 */
export function createOneTimeCertificate(now: number = Date.now()): OneTimeCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(setOf(sequence(objectId(ids.commonName), utf8('localhost'))))
  const content = sequence(
    tagged(0xa0, Buffer.from([0x02, 0x01, 0x02])),
    positive(randomBytes(16)),
    signatureAlgorithm,
    name,
    sequence(time(now - 30_000), time(now + 30 * 365 * 86_400_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', content, { key: privateKey, dsaEncoding: 'der' })
  const der = sequence(content, signatureAlgorithm, bits(signature))
  return {
    certificatePem: certificateToPem(der),
    certificateDer: der,
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

/** Encodes a certificate as PEM. */
export function certificateToPem(der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

const ids = {
  commonName: [2, 5, 4, 3],
  ecdsaWithSha256: [1, 2, 840, 10045, 4, 3, 2],
  basicConstraints: [2, 5, 29, 19],
  keyUsage: [2, 5, 29, 15],
  extendedKeyUsage: [2, 5, 29, 37],
  subjectAltName: [2, 5, 29, 17],
  serverAuth: [1, 3, 6, 1, 5, 5, 7, 3, 1],
  clientAuth: [1, 3, 6, 1, 5, 5, 7, 3, 2],
} as const

const signatureAlgorithm = sequence(objectId(ids.ecdsaWithSha256))
const yes = Buffer.from([0x01, 0x01, 0xff])
// Key usages digitalSignature, keyEncipherment, keyAgreement and keyCertSign: bits 0, 2, 4 and 5.
const usages = Buffer.from([0x03, 0x02, 0x02, 0b1010_1100])

const extensions = [
  sequence(objectId(ids.keyUsage), yes, octets(usages)),
  sequence(objectId(ids.extendedKeyUsage), octets(sequence(objectId(ids.clientAuth), objectId(ids.serverAuth)))),
  sequence(objectId(ids.basicConstraints), yes, octets(sequence(yes))),
  sequence(objectId(ids.subjectAltName), octets(sequence(tagged(0x82, Buffer.from('localhost'))))),
]

function tagged(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...items: readonly Uint8Array[]): Buffer {
  return tagged(0x30, ...items)
}

function setOf(item: Uint8Array): Buffer {
  return tagged(0x31, item)
}

function octets(content: Uint8Array): Buffer {
  return tagged(0x04, content)
}

function bits(content: Uint8Array): Buffer {
  return tagged(0x03, Buffer.from([0]), content)
}

function utf8(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text))
}

function positive(bytes: Buffer): Buffer {
  bytes[0] = (bytes[0]! & 0x7f) | 0x40
  return tagged(0x02, bytes)
}

function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '')
  // Years from 2050 on have four digits.
  return Number(digits.slice(0, 4)) < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2)))
    : tagged(0x18, Buffer.from(digits))
}

function objectId([first, second, ...rest]: readonly number[]): Buffer {
  const bytes = [first! * 40 + second!, ...rest].flatMap((part) => {
    const parts = [part & 0x7f]
    for (let left = part >> 7; left > 0; left >>= 7) parts.unshift((left & 0x7f) | 0x80)
    return parts
  })
  return tagged(0x06, Buffer.from(bytes))
}
