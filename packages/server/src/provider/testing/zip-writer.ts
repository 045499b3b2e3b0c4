import { crc32, deflateRawSync } from 'node:zlib'

/** A file of a test archive. Its metadata may be invalid, as in hostile archives. */
export interface ZipEntry {
  readonly name: string
  readonly content: string | Uint8Array
  /** Default 0o100644; 0o120777 is a link. */
  readonly mode?: number
  /** Claims another size than it has. */
  readonly claimedSize?: number
  /** Claims another checksum than it has. */
  readonly claimedCrc?: number
}

/** A zip archive of these files, as they are given. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { local, central } = written(entry, offset)
    locals.push(local)
    directory.push(central)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}

function written(entry: ZipEntry, offset: number): { readonly local: Buffer; readonly central: Buffer } {
  const content = Buffer.from(entry.content as Uint8Array)
  const packed = deflateRawSync(content)
  const name = Buffer.from(entry.name)
  const shared = Buffer.alloc(26)
  shared.writeUInt16LE(20, 0)
  shared.writeUInt16LE(0x0800, 2)
  shared.writeUInt16LE(8, 4)
  shared.writeUInt32LE(entry.claimedCrc ?? crc32(content), 10)
  shared.writeUInt32LE(packed.length, 14)
  shared.writeUInt32LE(entry.claimedSize ?? content.length, 18)
  shared.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([signature(0x04034b50), shared, name, packed])
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6)
  rest.writeUInt32LE(offset, 10)
  // "Version made by" is Unix, so the mode is used.
  const madeBy = Buffer.from([20, 3])
  return { local, central: Buffer.concat([signature(0x02014b50), madeBy, shared, rest, name]) }
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value, 0)
  return bytes
}
