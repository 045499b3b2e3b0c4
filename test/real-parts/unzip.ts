import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { type Entry, type Options, open, type ZipFile } from 'yauzl'

/** Extracts selected files of a zip archive as executables. */
export async function unzip(archive: string, files: readonly string[], into: string): Promise<void> {
  const zip = await openZip(archive, { lazyEntries: true, autoClose: false })
  const left = new Set(files)
  try {
    for await (const entry of entriesOf(zip)) if (left.delete(entry.fileName)) await extract(zip, entry, into)
  } finally {
    zip.close()
  }
  if (left.size > 0) throw new Error(`${archive} does not contain ${[...left].join(', ')}`)
}

const openZip = promisify<string, Options, ZipFile>(open)

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await nextEntry(zip)
    if (entry === undefined) return
    yield entry
  }
}

function nextEntry(zip: ZipFile): Promise<Entry | undefined> {
  zip.removeAllListeners()
  return new Promise((resolve, reject) => {
    zip.once('entry', resolve)
    zip.once('end', () => resolve(undefined))
    zip.once('error', reject)
    zip.readEntry()
  })
}

async function extract(zip: ZipFile, entry: Entry, into: string): Promise<void> {
  const target = join(into, entry.fileName)
  mkdirSync(dirname(target), { recursive: true })
  const read = promisify<Entry, Readable>(zip.openReadStream.bind(zip))
  await pipeline(await read(entry), createWriteStream(target, { mode: 0o755 }))
}
