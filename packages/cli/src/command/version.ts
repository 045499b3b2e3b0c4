import { Command } from 'commander'
import type { Host } from './host.ts'
import { type Invocation, outputFormat, runs } from './invocation.ts'
import { documentText } from './output.ts'
import { hykubeVersion } from './package-version.ts'

interface VersionFlags {
  readonly client?: boolean
  readonly server?: boolean
}

/** `hykube version` */
export function versionCommand(host: Host): Command {
  const command = new Command('version')
    .description('Tell the version of this program, and of the server when it is asked for.')
    .option('--server', 'of the server too')
    .addHelpText('after', '\nExamples:\n  hykube version\n  hykube version --server -o json')
  return runs<VersionFlags>(command, host, version)
}

async function version({ flags, terminal, connect }: Invocation<VersionFlags>): Promise<undefined> {
  const format = outputFormat(flags, ['json', 'yaml'])
  const client = { version: hykubeVersion(), node: process.versions.node }
  const server =
    flags.server === true
      ? await (await connect()).client.raw<ServerVersion>({ method: 'GET', path: '/version' })
      : undefined
  if (format !== undefined)
    terminal.out(await documentText({ client, ...(server !== undefined && { server }) }, format))
  else {
    terminal.out(`hykube ${client.version} (Node ${client.node})\n`)
    if (server !== undefined) terminal.out(`server ${server.gitVersion}\n`)
  }
  return undefined
}

interface ServerVersion {
  readonly gitVersion: string
}
