import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { CommandError, UsageError } from '../host/failure.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { hykubeVersion } from '../host/package-version.ts'

interface RestoreFlags {
  readonly dataDir: string
  readonly store: string
  readonly masterKeyFile?: string
  readonly masterKeyCommand?: string
  readonly byDatabase?: boolean
}

/** `hykube restore` */
export function restoreCommand(host: Host): Command {
  const command = new Command('restore')
    .description('Create a store from a backup, of the same or another kind of store. Stop the server first.')
    .argument('[file]', 'backup file; - for standard input')
    .option('--data-dir <dir>', 'data directory of the server, with the master.key of the old server', 'hykube-data')
    .option('--store <url>', 'store to create, which must be empty: sqlite:, sqlite:///FILE or postgres://…', 'sqlite:')
    .option('--master-key-file <file>', 'master key, when it is not in the data directory')
    .option('--master-key-command <command>', 'command that prints the master key')
    .option('--by-database', 'mark a PostgreSQL database that was restored by its own tools, once after each restore')
    .addHelpText(
      'after',
      `
Revisions continue far above those of the backup, so that clients list again (410). Pending plans become stale.

Examples:
  hykube restore monday.backup --data-dir /var/lib/hykube
  zstd -dc monday.backup.zst | hykube restore - --store postgres://hykube@db/hykube`,
    )
  return runs<RestoreFlags>(command, host, restore)
}

async function restore({ flags, args, terminal }: Invocation<RestoreFlags>): Promise<undefined> {
  const [file] = args
  const { restoreBackup, databaseRestored } = await import('@hykube/server/app')
  const { dataDir: dataDirectory, store, masterKeyFile, masterKeyCommand } = flags
  const options = { dataDirectory, store, masterKeyFile, masterKeyCommand, version: hykubeVersion() }
  if (flags.byDatabase === true) {
    if (file !== undefined) throw new UsageError('give either a file or --by-database, not both')
    if (!/^postgres(ql)?:/.test(store))
      throw new UsageError('--by-database is for PostgreSQL: give --store postgres://…')
    terminal.out(`The store continues at revision ${await databaseRestored(options)}.\n`)
    return undefined
  }
  if (file === undefined) throw new UsageError('name the backup file, or - for standard input')
  if (file !== '-' && !existsSync(file)) throw new CommandError(`cannot restore ${file}: the file does not exist`)
  try {
    const {
      header,
      revision,
      rows,
      dataDirectory: directory,
    } = await restoreBackup(file === '-' ? process.stdin : file, options)
    terminal.out(`Restored ${rows} entries of ${header.madeAt}; the store continues at revision ${revision}.\n`)
    terminal.err(
      `Start it:  hykube serve --data-dir ${directory}${store === 'sqlite:' ? '' : ` --store ${withoutPassword(store)}`}\n`,
    )
    terminal.err('Changes since the backup are not in the store. Find them:  hykube drift -A\n')
  } catch (error) {
    throw new CommandError((error as Error).message, ...adviceOn((error as Error).message, dataDirectory))
  }
  return undefined
}

function adviceOn(message: string, directory: string): string[] {
  if (/master key/.test(message))
    return [`Copy the master.key of the old server to ${directory}, or use --master-key-file FILE`]
  if (/already exists|already has a store/.test(message)) return ['A restore overwrites nothing: choose an empty store']
  if (/backup: /.test(message)) return ['Nothing was restored. Use another backup']
  return []
}

function withoutPassword(url: string): string {
  return url.replace(/:[^:@/]*@/, ':…@')
}
