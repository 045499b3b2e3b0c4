import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { encodeKey } from '../key.ts'
import { decodeKeyRing, encodeKeyRing } from './key-ring.ts'
import type { KeyRingRecord } from './key-ring-record.ts'
import { createMasterKey, formatMasterKey, type MasterKey, type MasterKeys } from './master-key.ts'
import { masterKeyFromText } from './master-key-source.ts'
import { RingSealer } from './ring-sealer.ts'
import { failureOf } from './testing/failure-of.ts'

const key = encodeKey('secrets', ['a'])
const value = Buffer.from('value')
let record: KeyRingRecord & { bytes: Uint8Array | undefined }
beforeEach(() => {
  record = memoryRecord()
})

describe('a sealer with a key ring', () => {
  it('opens its own values, and those of another server on the same ring', async () => {
    const master = createMasterKey()
    const [a, b] = await Promise.all([attached(master), attached(master)])
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(), (plain, revision) => {
        expect(Buffer.compare(b.open(key, revision, a.seal(key, revision, plain)), plain)).toBe(0)
      }),
    )
    expect(a.dataKeys).toEqual(b.dataKeys)
  })

  it('opens values of older data keys and reports that they are not current', async () => {
    const sealer = await attached(createMasterKey())
    const before = sealer.seal(key, 1, value)
    expect(sealer.isCurrent(before)).toBe(true)
    await sealer.rotateDataKey()
    expect(sealer.isCurrent(before)).toBe(false)
    expect(sealer.isCurrent(sealer.seal(key, 2, value))).toBe(true)
    expect(Buffer.from(sealer.open(key, 1, before))).toEqual(value)
  })

  it('finds a data key of another server by refreshing', async () => {
    const master = createMasterKey()
    const [a, b] = [await attached(master), await attached(master)]
    await a.rotateDataKey()
    const sealed = a.seal(key, 1, value)
    expect(failureOf(() => b.open(key, 1, sealed))).toBe('corrupt')
    expect(await b.refresh()).toBe(true)
    expect(Buffer.from(b.open(key, 1, sealed))).toEqual(value)
    expect(await b.refresh()).toBe(false)
  })

  it('keeps its data keys when the master key is rotated, and no longer needs the old one', async () => {
    const [old, young] = [createMasterKey(), createMasterKey()]
    const sealed = (await attached(old)).seal(key, 1, value)
    await attached(young, old)
    const after = await attached(young)
    expect(Buffer.from(after.open(key, 1, sealed))).toEqual(value)
    expect(decodeKeyRing(record.bytes!).keys.map((each) => each.master)).toEqual([young.id])
    await expect(attached(old)).rejects.toThrow(`wrapped by master key ${young.id}, but this server has ${old.id}`)
  })

  it('uses a master key that was rotated while it ran', async () => {
    const [old, young] = [createMasterKey(), createMasterKey()]
    let masters: MasterKeys = [old]
    const sealer = new RingSealer({ description: 'a test', read: async () => masters })
    await sealer.attach(record)
    masters = [young, old]
    await sealer.rotateMasterKey()
    const other = await attached(young)
    await other.rotateDataKey()
    masters = [young]
    const sealed = other.seal(key, 1, value)
    await sealer.refresh()
    expect(Buffer.from(sealer.open(key, 1, sealed))).toEqual(value)
  })

  it('drops a data key with the rotation after the one that replaced it, once that has finished', async () => {
    const sealer = await attached(createMasterKey())
    const before = sealer.seal(key, 1, value)
    await sealer.rotateDataKey()
    await sealer.rotateDataKey()
    expect(sealer.dataKeys).toHaveLength(3)
    await sealer.recordRotation(7, 1)
    expect((await sealer.ring()).rotation).toMatchObject({ rewritten: 7, finished: 1 })
    expect(Buffer.from(sealer.open(key, 1, before))).toEqual(value)
    await sealer.rotateDataKey()
    expect(failureOf(() => sealer.open(key, 1, before))).toBe('corrupt')
    expect(sealer.dataKeys).toHaveLength(2)
  })

  it('creates one ring when many servers start on an empty store at once', async () => {
    const master = createMasterKey()
    const sealers = await Promise.all(Array.from({ length: 10 }, () => attached(master)))
    expect(new Set(sealers.flatMap((sealer) => sealer.dataKeys)).size).toBe(1)
  })

  it('throws before it is attached', () => {
    const sealer = sealerOf(createMasterKey())
    expect(failureOf(() => sealer.seal(key, 1, value))).toBe('unavailable')
    expect(failureOf(() => sealer.open(key, 1, value))).toBe('unavailable')
  })

  it('never opens an unencrypted value', async () => {
    const sealer = await attached(createMasterKey())
    expect(failureOf(() => sealer.open(key, 1, Buffer.from('{"kind":"Secret","data":{"password":"x"}}')))).toBe(
      'corrupt',
    )
  })

  it('rejects a ring with any changed byte', async () => {
    const master = createMasterKey()
    await attached(master)
    const ring = decodeKeyRing(record.bytes!)
    const whole = ring.keys[0]!.wrapped
    for (let at = 0; at < whole.length; at++) {
      const wrapped = whole.slice()
      wrapped[at]! ^= 1
      record.bytes = encodeKeyRing({ ...ring, keys: [{ ...ring.keys[0]!, wrapped }] })
      await expect(attached(master)).rejects.toMatchObject({ failure: 'corrupt' })
    }
    record.bytes = Buffer.from('{}')
    await expect(attached(master)).rejects.toMatchObject({ failure: 'corrupt' })
  })
})

function sealerOf(...masters: MasterKey[]): RingSealer {
  return new RingSealer(masterKeyFromText(masters.map(formatMasterKey).join(' '), 'a test'))
}

async function attached(...masters: MasterKey[]): Promise<RingSealer> {
  const sealer = sealerOf(...masters)
  await sealer.attach(record)
  return sealer
}

function memoryRecord(): KeyRingRecord & { bytes: Uint8Array | undefined } {
  let version = 0
  return {
    bytes: undefined,
    async read() {
      return this.bytes && { bytes: this.bytes, version }
    },
    async replace(bytes, expected) {
      if ((this.bytes === undefined ? undefined : version) !== expected) return false
      this.bytes = bytes
      version++
      return true
    },
  }
}
