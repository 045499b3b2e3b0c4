import { parentPort, workerData } from 'node:worker_threads'
import type { Key, PublicKey, Subkey } from 'openpgp'
import type { VerificationInput, VerificationResult } from './pgp-signature.ts'

// Loaded here only, because it is large and under the LGPL.
const pgp = await import('openpgp')

async function answerTo(question: VerificationInput): Promise<VerificationResult> {
  try {
    return await verify(question)
  } catch (error) {
    return { kind: 'failed', reason: 'SignatureInvalid', message: (error as Error).message }
  }
}

async function verify({ content, signature, armors, now }: VerificationInput): Promise<VerificationResult> {
  const verificationKeys = (await Promise.all(armors.map(readKeys))).flat()
  // Refused keys are left out instead of failing the verification, because a registry may list several.
  const usable = verificationKeys.filter(({ problem }) => problem === undefined).map(({ key }) => key)
  const refused = verificationKeys.flatMap(({ problem }) => problem ?? [])
  const { signatures } = await pgp.verify({
    message: await pgp.createMessage({ binary: content }),
    signature: await readSignature(signature),
    verificationKeys: usable,
    format: 'binary',
    date: new Date(now),
  })
  const problems: string[] = [...refused]
  for (const { keyID, verified } of signatures) {
    try {
      await verified
      const key = usable.find((candidate) => candidate.getKeys(keyID).length > 0)!
      const expires = await key.getExpirationTime()
      const expired = expires instanceof Date && expires.getTime() <= now ? { expired: expires } : {}
      return { kind: 'verified', signature: { keyId: keyID.toHex().toUpperCase(), ...expired } }
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  const reason = problems.some((problem) => /expired/.test(problem)) ? 'KeyExpired' : 'SignatureInvalid'
  return { kind: 'failed', reason, message: problems.join('; ') || 'it holds no signature' }
}

interface JudgedKey {
  readonly key: Key
  readonly problem?: string
}

async function readKeys(armoredKeys: string): Promise<readonly JudgedKey[]> {
  try {
    return (await pgp.readKeys({ armoredKeys })).map((key) => ({ key, ...problemOf(key as PublicKey) }))
  } catch {
    return []
  }
}

// Checked before any computation with the key, because arithmetic on numbers of unlimited size takes unlimited time.
function problemOf(key: PublicKey): { readonly problem?: string } {
  const parts: readonly (Key | Subkey)[] = [key, ...key.getSubkeys()]
  if (parts.length > maxSubkeys) return { problem: `a key has more than ${maxSubkeys} subkeys` }
  for (const part of parts) {
    const { algorithm, bits = 0 } = part.getAlgorithmInfo()
    const name = String(algorithm)
    if (/^rsa/.test(name) && bits >= 2048 && bits <= 8192) continue
    if (/^(ecdsa|ecdh|eddsaLegacy|ed25519|ed448|x25519|x448)$/.test(name)) continue
    return {
      problem: `the algorithm ${name}${bits > 0 ? ` with ${bits} bits` : ''} of a key is not accepted: use RSA of 2048 to 8192 bits, ECDSA or EdDSA`,
    }
  }
  return {}
}

const maxSubkeys = 16

async function readSignature(bytes: Uint8Array) {
  try {
    return bytes[0] === dash
      ? await pgp.readSignature({ armoredSignature: new TextDecoder().decode(bytes) })
      : await pgp.readSignature({ binarySignature: bytes })
  } catch (cause) {
    throw new Error(`it can't be parsed: ${(cause as Error).message}`)
  }
}

const dash = '-'.charCodeAt(0)

// At the end of the module, because the constants above must be initialized.
parentPort!.postMessage(await answerTo(workerData as VerificationInput))
