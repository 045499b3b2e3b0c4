import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyRingRecordOf, keyRingSpace, masterKeyFromText, openMemoryStore, RingSealer } from '../storage/index.ts'
import { keyedHash } from './hash-key.ts'
import { estateSpaces } from './records/spaces.ts'

async function openStore() {
  const sealer = new RingSealer(masterKeyFromText(Buffer.alloc(32, 7).toString('base64'), 'a test'))
  const store = openMemoryStore({ spaces: [...estateSpaces, keyRingSpace], sealer })
  await sealer.attach(keyRingRecordOf(store))
  return store
}

test('hashes with a key that servers of one store share and other stores do not have', async () => {
  const [store, other] = [await openStore(), await openStore()]
  const hashes = (await Promise.all([store, store, other].map(keyedHash))).map((hash) => hash('hunter2'))
  expect(hashes[0]).toBe(hashes[1])
  const unkeyed = createHash('sha256').update('hunter2').digest('base64url').slice(0, 22)
  expect(new Set([hashes[0], hashes[2], unkeyed]).size).toBe(3)
  await Promise.all([store.close(), other.close()])
})
