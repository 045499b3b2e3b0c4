import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

// The write-ahead log and its index as SQLite lays them out: https://www.sqlite.org/walformat.html. The index holds the
// number of frames and the salts of the log, so both files have to agree at any moment.

/**
 * Returns how a write-ahead log differs from its index, or undefined. SQLite reads the log only for pages it has not
 * cached, and would then read whatever another program left there. While all frames are checkpointed, nothing in the
 * log is needed. `index` is a file descriptor, because closing one would drop the locks that SQLite holds on that file.
 */
export function walDifference(wal: string, index: number): string | undefined {
  const before = readParts(index, [[0, indexBytes]])?.[0]
  if (before === undefined) return `the index of ${wal} was truncated`
  const frames = framesOf(before)
  if (frames === 0) return undefined
  const difference = compare(wal, before, frames)
  if (difference === undefined) return undefined
  // The checkpointing thread may have checkpointed more frames in between.
  const after = readParts(index, [[0, indexBytes]])?.[0]
  return after?.equals(before) === true ? difference : undefined
}

/** True when a file is a write-ahead log with a header. */
export function isWrittenWal(wal: string): boolean {
  const header = readAt(wal, [[0, walHeaderBytes]])?.[0]
  // The last bit is the byte order of the checksums.
  return header !== undefined && (header.readUInt32BE(0) & ~1) >>> 0 === walMagic
}

function compare(wal: string, index: Buffer, frames: number): string | undefined {
  const size = index.readUInt16LE(14)
  const page = (size & 0xfe00) + ((size & 1) << 16)
  const lastFrame = walHeaderBytes + (frames - 1) * (frameHeaderBytes + page)
  const parts = readAt(
    wal,
    [
      [16, 8],
      [lastFrame + 8, 8],
    ],
    lastFrame + frameHeaderBytes + page,
  )
  if (parts === undefined) return `${wal} was truncated`
  const salts = index.subarray(32, 40)
  return parts.every((part) => part.equals(salts)) ? undefined : `another program wrote to ${wal}`
}

// Number of frames that are needed. The index has its header twice; while the copies differ it is being written.
function framesOf(index: Buffer): number {
  const isWhole = index[12] === 1 && index.subarray(0, 48).equals(index.subarray(48, 96))
  const [frames, inDatabase] = [index.readUInt32LE(16), index.readUInt32LE(96)]
  return isWhole && frames > inDatabase ? frames : 0
}

/** Returns parts of a file; undefined when it is missing, or shorter than the parts or `least`. */
function readAt(file: string, parts: readonly Part[], least = 0): Buffer[] | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    return undefined
  }
  try {
    return fstatSync(descriptor).size < least ? undefined : readParts(descriptor, parts)
  } finally {
    closeSync(descriptor)
  }
}

function readParts(descriptor: number, parts: readonly Part[]): Buffer[] | undefined {
  const read = parts.map(([position, length]) => {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position))
  })
  return read.every((bytes, at) => bytes.length === parts[at]![1]) ? read : undefined
}

type Part = readonly [position: number, length: number]

const indexBytes = 100
const walHeaderBytes = 32
const frameHeaderBytes = 24
const walMagic = 0x377f0682
