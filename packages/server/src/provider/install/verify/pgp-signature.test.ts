import { createHash } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { ManualClock } from '@hykube/machinery/base'
import { armor, enums } from 'openpgp'
import { describe, expect, test } from 'vitest'
import { createSigner } from '../../testing/index.ts'
import { verifySignature } from './pgp-signature.ts'

const content = Buffer.from('0000  terraform-provider-x.zip\n')
const now = Date.now()
const created = Buffer.alloc(4)
created.writeUInt32BE(Math.floor(now / 1000) - 3600)

// An OpenPGP integer of the given number of bits.
function number(bits: number): Buffer {
  const body = Buffer.alloc(bits / 8, 0xa5)
  body[body.length - 1] = 0xa7
  const size = Buffer.alloc(2)
  size.writeUInt16BE(bits)
  return Buffer.concat([size, body])
}

function packet(tag: number, body: Buffer): Buffer {
  const head = Buffer.alloc(6)
  head[0] = 0xc0 | tag
  head[1] = 0xff
  head.writeUInt32BE(body.length, 2)
  return Buffer.concat([head, body])
}

function sized(bytes: number, body: Buffer): Buffer {
  const size = Buffer.alloc(bytes)
  size.writeUIntBE(body.length, 0, bytes)
  return Buffer.concat([size, body])
}

/** A key with numbers of any size, whose signatures are well-formed but not valid. */
function hostileKey(algorithm: number, numbers: readonly Buffer[], signs: readonly Buffer[]) {
  const key = Buffer.concat([Buffer.from([4]), created, Buffer.from([algorithm]), ...numbers])
  const hashedKey = Buffer.concat([Buffer.from([0x99]), sized(2, key)])
  const keyId = createHash('sha1').update(hashedKey).digest().subarray(12)
  const user = Buffer.from('Mallory')
  const signed = (type: number, over: Buffer) => {
    const subpackets = Buffer.concat([Buffer.from([5, 2]), created])
    const hashed = Buffer.concat([Buffer.from([4, type, algorithm, 8]), sized(2, subpackets)])
    const digest = createHash('sha256')
      .update(over)
      .update(hashed)
      .update(Buffer.from([4, 0xff]))
      .update(sized(4, hashed).subarray(0, 4))
      .digest()
    const issuer = sized(2, Buffer.concat([Buffer.from([9, 16]), keyId]))
    return packet(2, Buffer.concat([hashed, issuer, digest.subarray(0, 2), ...signs]))
  }
  const named = Buffer.concat([hashedKey, Buffer.from([0xb4]), sized(4, user)])
  const packets = Buffer.concat([packet(6, key), packet(13, user), signed(0x13, named)])
  return { armor: armor(enums.armor.publicKey, packets) as string, signature: signed(0, content) }
}

const large = 32_768
const hostile = {
  'DSA of 32768 bits': hostileKey(
    17,
    [number(large), number(large), number(large), number(large)],
    [number(large), number(large)],
  ),
  'DSA of 1024 bits': hostileKey(
    17,
    [number(1024), number(160), number(1024), number(1024)],
    [number(160), number(160)],
  ),
  'RSA of 32768 bits': hostileKey(1, [number(large), number(large)], [number(large)]),
  'RSA of 1024 bits': hostileKey(1, [number(1024), Buffer.from([0, 17, 1, 0, 1])], [number(1024)]),
  'ElGamal of 32768 bits': hostileKey(16, [number(large), number(large), number(large)], [number(large)]),
}

describe('keys of a registry', () => {
  test.each(Object.entries(hostile))(
    'refuses %s without blocking the event loop',
    { timeout: 20_000 },
    async (_, key) => {
      const delay = monitorEventLoopDelay({ resolution: 5 })
      delay.enable()
      const begun = performance.now()
      const failure = await verifySignature(content, key.signature, [key], now).then(
        () => expect.unreachable('it was accepted'),
        (error: unknown) => error as Error,
      )
      delay.disable()
      expect(failure).toMatchObject({ reason: 'SignatureInvalid' })
      expect(failure.message).toMatch(
        /is not accepted: use RSA of 2048 to 8192 bits, ECDSA or EdDSA|holds no signature/,
      )
      // On the main thread the first of them takes 20 s.
      expect(delay.max / 1e6).toBeLessThan(500)
      expect(performance.now() - begun).toBeLessThan(10_000)
    },
  )

  test('finds a good key among hostile ones', async () => {
    const signer = await createSigner({ date: new Date(now - 60_000) })
    const keys = [...Object.values(hostile), signer]
    const verified = await verifySignature(content, await signer.sign(content), keys, now)
    expect(verified.keyId).toMatch(/^[0-9A-F]{16}$/)
  })

  test('refuses too many keys and a key that is too long', async () => {
    const signer = await createSigner()
    const many = Array.from({ length: 33 }, () => signer)
    for (const keys of [many, [{ armor: 'x'.repeat(300_000) }]])
      await expect(verifySignature(content, new Uint8Array([1]), keys, now)).rejects.toThrow('at most 32')
  })

  test('terminates a verification that takes too long', async () => {
    const clock = new ManualClock(0)
    const signer = await createSigner()
    const checking = verifySignature(content, await signer.sign(content), [signer], now, clock)
    clock.advance(10_001)
    await expect(checking).rejects.toThrow('took longer than 10000 ms')
  })
})
