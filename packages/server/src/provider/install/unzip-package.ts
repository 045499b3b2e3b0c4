import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { abortReason } from '@hykube/machinery/base'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { providerPrefix } from './find/package-file-name.ts'
import { InstallFailure } from './install-failure.ts'
import type { InstallLimits } from './installer-settings.ts'
import type { FileHashes } from './verify/package-hash.ts'

export interface UnzipOptions {
  readonly limits: Pick<InstallLimits, 'entries' | 'unpacked' | 'ratio'>
  readonly signal?: AbortSignal | undefined
}

/**
 * Unpacks an untrusted archive into an empty directory and returns the hash of each file. Paths that would leave the
 * directory are refused. Fails with ArchiveInvalid, ArchiveUnsafe or TooLarge.
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

// The ratio of unpacked to archive size is checked above this size only: small text files compress better than 100:1.
const ratioThreshold = 64 * 2 ** 20

async function opened(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true })
  } catch (cause) {
    throw new InstallFailure('ArchiveInvalid', `it is not a complete zip archive: ${(cause as Error).message}`, {
      cause,
    })
  }
}

// Checks all names and sizes before anything is written.
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
  const largest = Math.min(limits.unpacked, Math.max(ratioThreshold, limits.ratio * zip.fileSize))
  if (unpacked > largest)
    throw new InstallFailure('TooLarge', `it unpacks to ${unpacked} bytes, and ${largest} are allowed for its size`)
  return entries
}

function checkEntry(entry: Entry, names: Set<string>): void {
  const { fileName } = entry
  const unsafe = (why: string) => new InstallFailure('ArchiveUnsafe', `its file ${JSON.stringify(fileName)} ${why}`)
  const parts = fileName.replace(/\/$/, '').split('/')
  if (fileName.includes('\\') || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw unsafe('would be written outside of the package')
  if (/[\0\r\n]/.test(fileName)) throw unsafe('has a name with control characters')
  const kind = unixMode(entry) & 0o170000
  if (kind !== 0 && kind !== 0o100000 && kind !== 0o040000) throw unsafe('is a link or a device')
  const key = fileName.replace(/\/$/, '')
  if (names.has(key) && !fileName.endsWith('/')) throw unsafe('is there twice')
  names.add(key)
  if (!entry.canDecodeFileData())
    throw new InstallFailure(
      'ArchiveInvalid',
      `its file ${JSON.stringify(fileName)} is encrypted or has an unsupported compression`,
    )
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
  // The flag `wx` fails if the file exists, so one entry can't overwrite another, for example by a name that differs in case.
  const sink = createWriteStream(target, { flags: 'wx', mode: isExecutable(entry) ? 0o755 : 0o644 })
  await (signal === undefined ? pipeline(source, watch, sink) : pipeline(source, watch, sink, { signal }))
  if (crc !== entry.crc32)
    throw new InstallFailure('ArchiveInvalid', `its file ${JSON.stringify(entry.fileName)} is damaged`)
  return hash.digest('hex')
}

// Archives created on Windows have no Unix modes, so the provider's executable is recognized by its name.
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
    return new InstallFailure('ArchiveUnsafe', `two of its files have the same path: ${message}`, { cause: error })
  if (code !== undefined && /^E[A-Z]+$/.test(code))
    return new InstallFailure('StorageFailed', `it can't be written: ${message}`, { cause: error })
  // yauzl validates names itself and reports a violation by its message only.
  const isUnsafe = /relative path|absolute path|invalid characters in fileName/.test(message)
  return new InstallFailure(isUnsafe ? 'ArchiveUnsafe' : 'ArchiveInvalid', message, { cause: error })
}
