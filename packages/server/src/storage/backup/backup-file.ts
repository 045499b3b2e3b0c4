import { createHash } from 'node:crypto'
import { maximumSpaceBytes, type Snapshot, type StoredRow } from '../contract.ts'
import type { Key } from '../key.ts'
import { StorageError } from '../storage-error.ts'
import { ByteReader } from './byte-reader.ts'

/**
 * Format of a backup file or stream:
 *
 *     HYKUBE-BACKUP 1\n                 magic and format version
 *     {"revision":…,"madeAt":…}\n       header as one line of JSON
 *     rows, length-prefixed             u32 length, then f64 revision, u32 tag, u8 history, u32 key length, key, value
 *     u32 0, f64 count, 32 bytes        trailer: number of rows, and SHA-256 of everything before these 32 bytes
 *
 * Numbers are big-endian. Rows are in any order and without history, fit every backend, and stay encrypted.
 */
export interface BackupHeader {
  /** Revision of the snapshot. */
  readonly revision: number
  /** Creation time in RFC 3339. */
  readonly madeAt: string
  /** Version of the program that created it. */
  readonly version: string
}

/** Encodes a snapshot as a backup. */
export async function* backupChunks(
  { revision, rows }: Snapshot,
  facts: Omit<BackupHeader, 'revision'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256')
  const hashed = (bytes: Uint8Array) => {
    hash.update(bytes)
    return bytes
  }
  yield hashed(Buffer.from(`${firstLine}\n${JSON.stringify({ revision, ...facts })}\n`))
  let count = 0
  for await (const batch of rows) {
    yield hashed(Buffer.concat(batch.flatMap(encodeRow)))
    count += batch.length
  }
  const end = Buffer.alloc(12)
  end.writeDoubleBE(count, 4)
  yield hashed(end)
  yield hash.digest()
}

/**
 * Reads a backup. A truncated or modified file fails with `corrupt` at the latest after the last row, so a restore must
 * commit only after the end.
 */
export async function readBackup(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly header: BackupHeader; readonly snapshot: Snapshot }> {
  const hash = createHash('sha256')
  const reader = new ByteReader(chunks, (bytes) => hash.update(bytes))
  const first = await reader.line(64)
  if (first !== firstLine)
    throw new StorageError(
      first.startsWith('HYKUBE-BACKUP ') ? 'invalid' : 'corrupt',
      first.startsWith('HYKUBE-BACKUP ')
        ? 'cannot read the backup: it was created by a newer version; restore it with that version'
        : 'cannot read the backup: it is not a backup of Hykube',
    )
  const header = headerFrom(await reader.line(4096))
  return { header, snapshot: { revision: header.revision, rows: rowsFrom(reader, () => hash.copy().digest()) } }
}

const firstLine = 'HYKUBE-BACKUP 1'
const fixedBytes = 17
// Largest value and key, and the overhead of encryption.
const maxRowBytes = maximumSpaceBytes + 1024 * 1024
const rowsAtOnce = 500
const batchBytes = 1024 * 1024

function encodeRow({ key, revision, tag, value, history }: StoredRow): Uint8Array[] {
  const head = Buffer.allocUnsafe(4 + fixedBytes)
  head.writeUInt32BE(fixedBytes + key.length + value.length, 0)
  head.writeDoubleBE(revision, 4)
  head.writeUInt32BE(tag, 12)
  head.writeUInt8(history ? 1 : 0, 16)
  head.writeUInt32BE(key.length, 17)
  return [head, key, value]
}

async function* rowsFrom(
  reader: ByteReader,
  digest: () => Uint8Array,
): AsyncGenerator<readonly StoredRow[], void, undefined> {
  let count = 0
  for (;;) {
    const batch: StoredRow[] = []
    let length = 1
    for (let bytes = 0; bytes < batchBytes && batch.length < rowsAtOnce; bytes += length) {
      length = (await reader.take(4)).readUInt32BE()
      if (length === 0) break
      if (length < fixedBytes || length > maxRowBytes) throw damaged()
      batch.push(decodeRow(await reader.take(length)))
    }
    count += batch.length
    if (batch.length > 0) yield batch
    if (length === 0) break
  }
  const counted = (await reader.take(8)).readDoubleBE()
  const expected = digest()
  if (!(await reader.take(32)).equals(expected) || counted !== count) throw damaged()
}

function decodeRow(bytes: Buffer): StoredRow {
  const keyEnd = fixedBytes + bytes.readUInt32BE(13)
  const revision = bytes.readDoubleBE(0)
  if (keyEnd > bytes.length || !Number.isSafeInteger(revision)) throw damaged()
  return {
    ...{ revision, tag: bytes.readUInt32BE(8), history: bytes.readUInt8(12) === 1 },
    key: bytes.subarray(fixedBytes, keyEnd) as Uint8Array as Key,
    value: bytes.subarray(keyEnd),
  }
}

function headerFrom(line: string): BackupHeader {
  try {
    const header = JSON.parse(line) as BackupHeader
    if (Number.isSafeInteger(header.revision) && header.revision >= 0) return header
  } catch {
    // Reported below.
  }
  throw damaged()
}

function damaged(): StorageError {
  return new StorageError('corrupt', 'cannot read the backup: it was modified or damaged')
}
