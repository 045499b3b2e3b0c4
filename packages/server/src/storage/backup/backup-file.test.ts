import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Snapshot, StoredRow } from '../contract.ts'
import { encodeKey } from '../key.ts'
import { backupChunks, readBackup } from './backup-file.ts'

const facts = { madeAt: '2026-11-16T06:00:00.000Z', version: '0.1.0' }

describe('a backup', () => {
  test('is read as written, for any chunking of the stream', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 20 }),
        fc.nat(),
        fc.integer({ min: 1, max: 100 }),
        async (rows, revision, size) => {
          const bytes = await written({ revision, rows: batches(rows) })
          const { header, snapshot } = await readBackup(pieces(bytes, size))
          expect(header).toEqual({ revision, ...facts })
          expect(await all(snapshot.rows)).toEqual(
            rows.map((each) => ({ ...each, value: Buffer.from(each.value), key: Buffer.from(each.key) })),
          )
        },
      ),
      { numRuns: 50 },
    )
  })

  test('with any bit changed, or truncated anywhere, is rejected', async () => {
    const rows = fc.sample(row, { numRuns: 5, seed: 7 })
    const bytes = await written({ revision: 9, rows: batches(rows) })
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const changed = Buffer.from(bytes)
        changed[at]! ^= 1 << bit
        await expect(wholly(changed)).rejects.toMatchObject({ name: 'StorageError' })
        await expect(wholly(bytes.subarray(0, at))).rejects.toMatchObject({ failure: 'corrupt' })
      }),
      { numRuns: 200 },
    )
  })

  test.each([
    ['another file', Buffer.from('apiVersion: v1\nkind: List\n'), 'not a backup of Hykube'],
    ['nothing', Buffer.alloc(0), 'ends too early'],
    ['a later form', Buffer.from('HYKUBE-BACKUP 2\n{}\n'), 'created by a newer version'],
  ])('is not %s', async (_, bytes, why) => {
    await expect(wholly(bytes)).rejects.toThrow(why)
  })
})

const row: fc.Arbitrary<StoredRow> = fc.record({
  key: fc
    .array(fc.string({ unit: 'binary-ascii' }), { minLength: 1, maxLength: 3 })
    .map((segments) => encodeKey('objects', segments)),
  revision: fc.nat(),
  tag: fc.nat(),
  value: fc.uint8Array({ maxLength: 300 }),
  history: fc.boolean(),
})

async function* batches(rows: readonly StoredRow[]): Snapshot['rows'] & AsyncGenerator<readonly StoredRow[]> {
  for (let at = 0; at < rows.length; at += 3) yield rows.slice(at, at + 3)
}

async function written(snapshot: Snapshot): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of backupChunks(snapshot, facts)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function wholly(bytes: Uint8Array): Promise<readonly StoredRow[]> {
  return all((await readBackup(pieces(bytes, 64))).snapshot.rows)
}

async function all(rows: Snapshot['rows']): Promise<StoredRow[]> {
  const found: StoredRow[] = []
  for await (const batch of rows) found.push(...batch)
  return found
}
