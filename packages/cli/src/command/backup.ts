import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { Command } from 'commander'
import { CommandError } from './failure.ts'
import type { Host } from './host.ts'
import { type Invocation, runs } from './invocation.ts'

/** `hykube backup` */
export function backupCommand(host: Host): Command {
  const command = new Command('backup')
    .description(
      'Write everything that the server keeps, at one moment, into a new file; the server goes on meanwhile.',
    )
    .argument('<file>', 'the file to make, readable by you only; - for stdout')
    .addHelpText(
      'after',
      `
What is encrypted at rest stays encrypted: whoever restores it needs the master key of the server (DIR/master.key), which is
not in it. Neither are certificates (DIR/ca.*), the key of service accounts (DIR/sa.key), nor anything outside.

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
  // Asked before anything is made: whoever may not have it leaves no file behind.
  const first = await chunks.next()
  const handle = await create(file!)
  try {
    const bytes = await copy(prepended(first, chunks), (chunk) => handle.write(chunk))
    await handle.sync()
    await handle.close()
    terminal.out(`Backup ${file} is complete: ${megabytes(bytes)}.\n`)
    terminal.err('Keep the server’s master.key too, in another place:\n')
    terminal.err('  without it secrets and provider state are lost.\n')
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(file!, { force: true })
    throw error
  }
  return undefined
}

// What a server that dies leaves off is found by the sum at the end.
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
    throw new CommandError('the backup did not come to its end', 'Look at the log of the server, and try again')
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
      throw new CommandError(`${file} exists already; a backup overwrites nothing`, 'Name another file')
    throw new CommandError(`cannot make ${file}: ${message}`)
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
