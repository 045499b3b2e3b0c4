import { createHmac, randomBytes } from 'node:crypto'
import { encodeKey, type Store } from '../storage/index.ts'
import { hashKeySpace } from './spaces.ts'

/**
 * A hash with a random key that the store keeps encrypted, so that a short secret can't be guessed from its hash. All servers of a
 * store share the key, and it never changes: what is settled is known by such hashes.
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
    // Another server may be faster: its key counts.
    await store.commit({ operations: [{ kind: 'put', key, value: randomBytes(32), expect: 'absent' }] })
  }
}
