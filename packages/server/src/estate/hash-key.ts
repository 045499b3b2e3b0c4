import { createHmac, randomBytes } from 'node:crypto'
import { encodeKey, type Store } from '../storage/index.ts'
import { hashKeySpace } from './records/spaces.ts'

/**
 * Returns a hash function with a random key that the store keeps encrypted, so that a short secret can't be guessed from its hash. All
 * servers of a store share the key. It never changes, because stored fingerprints depend on it.
 */
export async function keyedHash(store: Store): Promise<(text: string) => string> {
  const secret = await hashKey(store)
  return (text) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22)
}

async function hashKey(store: Store): Promise<Uint8Array> {
  const key = encodeKey(hashKeySpace.name, ['values'])
  for (;;) {
    const known = await store.get(key)
    if (known !== undefined) return known.value
    // If another server commits its key first, that key is read in the next round.
    await store.commit({ operations: [{ kind: 'put', key, value: randomBytes(32), expect: 'absent' }] })
  }
}
