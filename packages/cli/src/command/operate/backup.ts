import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { Command } from 'commander'
import { CommandError } from '../host/failure.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'

/** `hykube backup` */
export function backupCommand(host: Host): Command {
  const command = new Command('backup')
    .description('Write a consistent backup of the server to a new file, while the server runs.')
    .argument('<file>', 'file to create, readable only for you; - for standard output')
    .addHelpText(
      'after',
      `
Secrets and provider state stay encrypted: to restore the backup you need the master key of the server (DIR/master.key).
The backup holds neither that key nor certificates (DIR/ca.*) nor the service account key (DIR/sa.key).

Examples:
  hykube backup monday.backup
  hykube backup - | zstd > monday.backup.zst`,
    )
  return runs(command, host, backup)
}

async function backup({ args, terminal, connect }: Invocation): Promise<undefined> {
  const [file] = args
  const { client } = await connect()
  const chunks = client.rawBytes({ method: 'GET', path: '/backup' })
  if (file === '-') {
    await copy(chunks, (chunk) => writeOut(chunk))
    return undefined
  }
  // The first bytes are awaited before the file is created, so that a refused request leaves no file behind.
  const first = await chunks.next()
  const handle = await create(file!)
  try {
    const bytes = await copy(prepended(first, chunks), (chunk) => handle.write(chunk))
    await handle.sync()
    await handle.close()
    terminal.out(`Backup ${file} is complete: ${megabytes(bytes)}.\n`)
    terminal.err('Store the master.key of the server separately:\n')
    terminal.err('  without it, secrets and provider state are lost.\n')
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(file!, { force: true })
    throw error
  }
  return undefined
}

// A checksum at the end detects a backup that was cut off.
async function copy(
  chunks: AsyncIterable<Uint8Array>,
  write: (chunk: Uint8Array) => Promise<unknown>,
): Promise<number> {
  const hash = createHash('sha256')
  let held: Uint8Array = new Uint8Array()
  let bytes = 0
  for await (const chunk of chunks) {
    await write(chunk)
    bytes += chunk.length
    const all = Buffer.concat([held, chunk])
    const known = Math.max(0, all.length - sumBytes)
    hash.update(all.subarray(0, known))
    held = all.subarray(known)
  }
  if (!hash.digest().equals(held))
    throw new CommandError('the backup is incomplete', 'See the log of the server, then try again')
  return bytes
}

const sumBytes = 32

async function* prepended(
  first: IteratorResult<Uint8Array, void>,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done === true) return
  yield first.value
  yield* rest
}

async function create(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', 0o600)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new CommandError(`${file} exists already`, 'Choose another file: a backup overwrites nothing')
    throw new CommandError(`cannot create ${file}: ${message}`)
  }
}

function writeOut(chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
