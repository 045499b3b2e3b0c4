import type { Revision, Space, Store } from '../contract.ts'
import { encodeKey, type Key } from '../key.ts'

/**
 * The place of the key ring. It is a record of the store itself: servers that share a database share the ring, and a
 * backup of the store together with the master key is all that a restore needs.
 */
export interface KeyRingRecord {
  /** The ring's bytes and the version they have; undefined before the first ring. */
  read(): Promise<{ readonly bytes: Uint8Array; readonly version: Revision } | undefined>
  /** Replaces the version named (undefined: there is none yet); false when somebody else was faster. */
  replace(bytes: Uint8Array, version: Revision | undefined): Promise<boolean>
}

/** The space of the ring: a store that has encrypted spaces is opened with this one too. */
export const keyRingSpace: Space = { name: 'key-ring', segments: 1, history: false }

/** Where the ring is in it. */
export const keyRingKey: Key = encodeKey(keyRingSpace.name, ['data-keys'])

/** The ring kept in a store that was opened with {@link keyRingSpace}. */
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
