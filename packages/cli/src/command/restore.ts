import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { CommandError, UsageError } from './failure.ts'
import type { Host } from './host.ts'
import { type Invocation, runs } from './invocation.ts'
import { hykubeVersion } from './package-version.ts'

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
    .description('Make the store of a server of a backup, whichever store that came from. No server may run on it.')
    .argument('[file]', 'what hykube backup made; - for stdin')
    .option('--data-dir <dir>', 'the directory of the server, with the master.key of the old one in it', 'hykube-data')
    .option('--store <url>', 'where to: sqlite:, sqlite:///FILE, postgres://…; it must be empty', 'sqlite:')
    .option('--master-key-file <file>', 'the key for what is encrypted at rest, when it is not in the directory')
    .option('--master-key-command <command>', 'a command that prints that key')
    .option('--by-database', 'a PostgreSQL database that its own tools have restored: only tell it so, once')
    .addHelpText(
      'after',
      `
Revisions go on far above those of the backup, so that clients list again (410). Plans that waited are stale.

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
    terminal.out(`The store goes on at revision ${await databaseRestored(options)}.\n`)
    return undefined
  }
  if (file === undefined) throw new UsageError('name the file of the backup, or - for stdin')
  if (file !== '-' && !existsSync(file))
    throw new CommandError(`cannot restore ${file}: there is no such file`, 'Name what hykube backup made')
  try {
    const {
      header,
      revision,
      rows,
      dataDirectory: directory,
    } = await restoreBackup(file === '-' ? process.stdin : file, options)
    terminal.out(
      `Restored ${rows} entries as they were at ${header.madeAt}; the store goes on at revision ${revision}.\n`,
    )
    terminal.err(
      `Start it:  hykube serve --data-dir ${directory}${store === 'sqlite:' ? '' : ` --store ${withoutPassword(store)}`}\n`,
    )
    terminal.err('What happened outside since the backup is not known here; look for it:  hykube drift -A\n')
  } catch (error) {
    throw new CommandError((error as Error).message, ...adviceOn((error as Error).message, dataDirectory))
  }
  return undefined
}

function adviceOn(message: string, directory: string): string[] {
  if (/master key/.test(message))
    return [
      `Put the master.key of the server that was backed up into ${directory}, or name it:  --master-key-file FILE`,
    ]
  if (/exists already|holds a store already/.test(message)) return ['A restore overwrites nothing']
  if (/backup: /.test(message)) return ['Nothing was restored. Take another backup']
  return []
}

function withoutPassword(url: string): string {
  return url.replace(/:[^:@/]*@/, ':…@')
}
