import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { abortReason } from '@hykube/machinery/base'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { InstallFailure } from './install-failure.ts'
import type { InstallLimits } from './installer-settings.ts'
import { providerPrefix } from './package-file-name.ts'
import type { FileHashes } from './package-hash.ts'

export interface UnzipOptions {
  readonly limits: Pick<InstallLimits, 'entries' | 'unpacked' | 'ratio'>
  readonly signal?: AbortSignal | undefined
}

/**
 * Unpacks an archive into an empty directory and gives the hash of each file. Nothing is written outside of it, whatever
 * the archive says. Fails with ArchiveInvalid, ArchiveUnsafe or TooLarge.
 */
export async function unzipPackage(file: string, directory: string, options: UnzipOptions): Promise<FileHashes> {
  const zip = await opened(file)
  try {
    const entries = await entriesOf(zip, options.limits)
    const hashes = new Map<string, string>()
    for (const entry of entries) {
      if (options.signal?.aborted === true) throw abortReason(options.signal)
      if (entry.fileName.endsWith('/')) await mkdir(join(directory, entry.fileName), { recursive: true })
      else hashes.set(entry.fileName, await unpack(zip, entry, directory, options.signal))
    }
    return hashes
  } catch (error) {
    throw unpackFailure(error, options.signal)
  } finally {
    zip.close()
  }
}

const smallEnough = 64 * 2 ** 20

async function opened(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true })
  } catch (cause) {
    throw new InstallFailure('ArchiveInvalid', `it is no whole zip archive: ${(cause as Error).message}`, { cause })
  }
}

// All names and sizes are looked at before anything is written.
async function entriesOf(zip: ZipFile, limits: UnzipOptions['limits']): Promise<readonly Entry[]> {
  if (zip.entryCount > limits.entries)
    throw new InstallFailure('TooLarge', `it has ${zip.entryCount} files, and ${limits.entries} are allowed`)
  const entries: Entry[] = []
  const names = new Set<string>()
  let unpacked = 0
  for await (const entry of zip.eachEntry()) {
    checkEntry(entry, names)
    unpacked += entry.uncompressedSize
    entries.push(entry)
  }
  const largest = Math.min(limits.unpacked, Math.max(smallEnough, limits.ratio * zip.fileSize))
  if (unpacked > largest)
    throw new InstallFailure('TooLarge', `it unpacks to ${unpacked} bytes, and ${largest} are allowed for its size`)
  return entries
}

function checkEntry(entry: Entry, names: Set<string>): void {
  const { fileName } = entry
  const unsafe = (why: string) => new InstallFailure('ArchiveUnsafe', `its file ${JSON.stringify(fileName)} ${why}`)
  const parts = fileName.replace(/\/$/, '').split('/')
  if (fileName.includes('\\') || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw unsafe('would be written elsewhere')
  if (/[\0\r\n]/.test(fileName)) throw unsafe('has a name with control characters')
  const kind = unixMode(entry) & 0o170000
  if (kind !== 0 && kind !== 0o100000 && kind !== 0o040000) throw unsafe('is a link or a device')
  const key = fileName.replace(/\/$/, '')
  if (names.has(key) && !fileName.endsWith('/')) throw unsafe('is there twice')
  names.add(key)
  if (!entry.canDecodeFileData())
    throw new InstallFailure('ArchiveInvalid', `its file ${JSON.stringify(fileName)} is encrypted or oddly compressed`)
}

async function unpack(zip: ZipFile, entry: Entry, directory: string, signal?: AbortSignal): Promise<string> {
  const target = join(directory, entry.fileName)
  await mkdir(dirname(target), { recursive: true })
  const hash = createHash('sha256')
  let crc = 0
  const watch = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      crc = crc32(chunk, crc)
      done(null, chunk)
    },
  })
  const source = await zip.openReadStreamPromise(entry)
  // Never over what is there: a file of the archive must not take another's place.
  const sink = createWriteStream(target, { flags: 'wx', mode: isExecutable(entry) ? 0o755 : 0o644 })
  await (signal === undefined ? pipeline(source, watch, sink) : pipeline(source, watch, sink, { signal }))
  if (crc !== entry.crc32)
    throw new InstallFailure('ArchiveInvalid', `its file ${JSON.stringify(entry.fileName)} is damaged`)
  return hash.digest('hex')
}

// Archives made on Windows know no modes.
function isExecutable(entry: Entry): boolean {
  return (unixMode(entry) & 0o111) !== 0 || basename(entry.fileName).startsWith(providerPrefix)
}

function unixMode(entry: Entry): number {
  return entry.versionMadeBy >> 8 === 3 ? entry.externalFileAttributes >>> 16 : 0
}

function unpackFailure(error: unknown, signal: AbortSignal | undefined): InstallFailure {
  if (error instanceof InstallFailure) return error
  const { message, code } = error as NodeJS.ErrnoException
  if (signal?.aborted === true) return new InstallFailure('Canceled', `it was canceled: ${message}`, { cause: error })
  if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR')
    return new InstallFailure('ArchiveUnsafe', `two of its files have one place: ${message}`, { cause: error })
  if (code !== undefined && /^E[A-Z]+$/.test(code))
    return new InstallFailure('StorageFailed', `it can't be written: ${message}`, { cause: error })
  // The reader of archives checks names too, and before us.
  const isUnsafe = /relative path|absolute path|invalid characters in fileName/.test(message)
  return new InstallFailure(isUnsafe ? 'ArchiveUnsafe' : 'ArchiveInvalid', message, { cause: error })
}
