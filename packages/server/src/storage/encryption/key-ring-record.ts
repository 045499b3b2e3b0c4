import type { Revision, Space, Store } from '../contract.ts'
import { encodeKey, type Key } from '../key.ts'

/**
 * Location of the key ring, in the store itself: servers that share a database share the ring, and a restore needs only
 * a backup of the store and the master key.
 */
export interface KeyRingRecord {
  /** Returns the ring's bytes with their version; undefined before the first ring. */
  read(): Promise<{ readonly bytes: Uint8Array; readonly version: Revision } | undefined>
  /** Replaces a version of the ring (undefined: none exists). Returns false when another server replaced it first. */
  replace(bytes: Uint8Array, version: Revision | undefined): Promise<boolean>
}

/** Space of the ring: a store with encrypted spaces must have it too. */
export const keyRingSpace: Space = { name: 'key-ring', segments: 1, history: false }

/** Key of the ring. */
export const keyRingKey: Key = encodeKey(keyRingSpace.name, ['data-keys'])

/** Creates the record in a store that has {@link keyRingSpace}. */
export function keyRingRecordOf(store: Store): KeyRingRecord {
  const key = keyRingKey
  return {
    async read() {
      const entry = await store.get(key)
      return entry && { bytes: entry.value, version: entry.revision }
    },
    async replace(bytes, version) {
      const outcome = await store.commit({
        operations: [{ kind: 'put', key, value: bytes, expect: version ?? 'absent' }],
      })
      return outcome.kind === 'committed'
    },
  }
}
