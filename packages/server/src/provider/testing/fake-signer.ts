/** A publisher that signs packages with a real key. */
export interface FakeSigner {
  /** The public key, as registries list it. */
  readonly armor: string
  /** A detached signature, made at the time given to `createSigner`. */
  sign(content: Uint8Array): Promise<Uint8Array>
}

export interface FakeSignerOptions {
  /** When the key is made and signs. Default: now. */
  readonly date?: Date
  /** The validity of the key in seconds. Default: unlimited. */
  readonly validFor?: number
  /** The time of signatures. Default: the creation time of the key. */
  readonly signsAt?: Date
}

/** Creates a key and its signer. */
export async function createSigner(options: FakeSignerOptions = {}): Promise<FakeSigner> {
  const pgp = await import('openpgp')
  const { date, validFor, signsAt = date } = options
  const format = 'object' as const
  const common = { userIDs: [{ name: 'Test' }], format, ...(date !== undefined && { date }) }
  const { privateKey, publicKey } = await pgp.generateKey({ type: 'ecc', curve: 'ed25519Legacy', ...common })
  // Signs with a copy of the key that has no expiry, as an attacker with a manipulated clock would.
  const listed =
    validFor === undefined
      ? publicKey
      : (await pgp.reformatKey({ privateKey, keyExpirationTime: validFor, ...common })).publicKey
  return {
    armor: listed.armor(),
    sign: async (content) =>
      (await pgp.sign({
        message: await pgp.createMessage({ binary: content }),
        signingKeys: privateKey,
        detached: true,
        format: 'binary',
        ...(signsAt !== undefined && { date: signsAt }),
      })) as Uint8Array,
  }
}
