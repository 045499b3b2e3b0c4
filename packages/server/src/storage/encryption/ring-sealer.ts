import { type Clock, Mutex, systemClock } from '@hykube/machinery/base'
import type { Revision } from '../contract.ts'
import type { Key } from '../key.ts'
import { StorageError } from '../storage-error.ts'
import {
  createKeyRing,
  decodeKeyRing,
  encodeKeyRing,
  type KeyRing,
  rewrapped,
  unwrapDataKey,
  withNewDataKey,
} from './key-ring.ts'
import type { KeyRingRecord } from './key-ring-record.ts'
import type { MasterKeys } from './master-key.ts'
import type { MasterKeySource } from './master-key-source.ts'
import { type DataKey, openValue, sealedWith, sealValue } from './sealed-value.ts'
import type { Sealer } from './sealer.ts'

/**
 * A sealer whose keys may be rotated by other servers: on an unknown data key, the store refreshes it and tries once
 * more.
 */
export interface RefreshableSealer extends Sealer {
  /** Reads the ring again. Returns true when it has a new data key. */
  refresh(): Promise<boolean>
}

/**
 * Encrypts with data keys from a ring that a master key wraps. It is created before its store and attached to the ring
 * in that store afterwards; until then it can neither seal nor open.
 *
 * Several servers may share the ring: changes are compare-and-set, and a server refreshes the ring when it finds an
 * unknown data key. To rotate a master key, give every server the new key after the old one, then before it, then
 * alone.
 */
export class RingSealer implements RefreshableSealer {
  readonly #source: MasterKeySource
  readonly #clock: Clock
  readonly #mutex = new Mutex()
  #record: KeyRingRecord | undefined
  #masters: MasterKeys | undefined
  #keys: ReadonlyMap<number, DataKey> = new Map()
  #current: DataKey | undefined

  constructor(source: MasterKeySource, clock: Clock = systemClock) {
    this.#source = source
    this.#clock = clock
  }

  /** Loads the ring of a store, or creates one, and wraps it with the first master key. */
  attach(record: KeyRingRecord): Promise<void> {
    this.#record = record
    return this.rotateMasterKey()
  }

  /** Ids of the data keys, the current one first. */
  get dataKeys(): readonly number[] {
    return [...this.#keys.keys()].sort((a, b) => Number(b === this.#current?.id) - Number(a === this.#current?.id))
  }

  seal(key: Key, revision: Revision, plain: Uint8Array): Uint8Array {
    if (this.#current === undefined) throw notAttached()
    return sealValue(this.#current, key, revision, plain)
  }

  open(key: Key, revision: Revision, sealed: Uint8Array): Uint8Array {
    if (this.#current === undefined) throw notAttached()
    const id = sealedWith(sealed)
    if (id === undefined) throw new StorageError('corrupt', `the value at revision ${revision} is not encrypted`)
    const dataKey = this.#keys.get(id)
    if (dataKey === undefined) {
      throw new StorageError('corrupt', `the value at revision ${revision} names data key ${id}, which the ring lacks`)
    }
    return openValue(dataKey, key, revision, sealed)
  }

  isCurrent(sealed: Uint8Array): boolean {
    return sealedWith(sealed) === this.#current?.id
  }

  refresh(): Promise<boolean> {
    return this.#mutex.run(async () => {
      const known = this.#keys
      const kept = await this.#attached().read()
      if (kept !== undefined) await this.#use(decodeKeyRing(kept.bytes))
      return this.dataKeys.some((id) => !known.has(id))
    })
  }

  /** Reads the current ring from the store. */
  async ring(): Promise<KeyRing> {
    await this.refresh()
    return decodeKeyRing((await this.#attached().read())!.bytes)
  }

  /** Source of the master keys. */
  get source(): MasterKeySource {
    return this.#source
  }

  /** Records the progress of a rotation: the number of rewritten values, and the end time when it is finished. */
  recordRotation(rewritten: number, finished?: number): Promise<void> {
    return this.#change((ring) =>
      ring.rotation === undefined
        ? ring
        : { ...ring, rotation: { ...ring.rotation, rewritten, ...(finished !== undefined && { finished }) } },
    )
  }

  /** Encrypts with a new data key from now on. The store's `rotate` then rewrites values of older keys. */
  rotateDataKey(): Promise<void> {
    return this.#change((ring, [master]) => withNewDataKey(ring, master, this.#clock.now()))
  }

  /** Reads the master keys again and wraps every data key with the first one. */
  rotateMasterKey(): Promise<void> {
    this.#masters = undefined
    return this.#change(rewrapped)
  }

  #change(change: (ring: KeyRing, masters: MasterKeys) => KeyRing): Promise<void> {
    return this.#mutex.run(async () => {
      this.#masters ??= await this.#source.read()
      for (;;) {
        const kept = await this.#attached().read()
        const before = kept && decodeKeyRing(kept.bytes)
        const after = change(before ?? createKeyRing(this.#masters[0], this.#clock.now()), this.#masters)
        const bytes = encodeKeyRing(after)
        const unchanged = kept !== undefined && Buffer.compare(bytes, kept.bytes) === 0
        if (unchanged || (await this.#attached().replace(bytes, kept?.version))) return this.#use(after)
      }
    })
  }

  // An unknown master key may have been rotated by another server, so the source is read again, once.
  async #use(ring: KeyRing): Promise<void> {
    this.#masters ??= await this.#source.read()
    const unknown = ring.keys.some(({ master }) => !this.#masters!.some(({ id }) => id === master))
    if (unknown) this.#masters = await this.#source.read()
    const unwrap = (key: KeyRing['keys'][number]) => this.#keys.get(key.id) ?? unwrapDataKey(key, this.#masters!)
    this.#keys = new Map(ring.keys.map((key) => [key.id, unwrap(key)]))
    this.#current = this.#keys.get(ring.current)
  }

  #attached(): KeyRingRecord {
    if (this.#record === undefined) throw notAttached()
    return this.#record
  }
}

function notAttached(): StorageError {
  return new StorageError('unavailable', 'cannot encrypt or decrypt before the key ring of the store is attached')
}
