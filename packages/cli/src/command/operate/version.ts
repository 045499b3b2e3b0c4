import { Command } from 'commander'
import { addOutputFlag, type OutputFlags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { documentText } from '../host/output.ts'
import { hykubeVersion } from '../host/package-version.ts'

interface VersionFlags extends OutputFlags<'json' | 'yaml'> {
  readonly server?: boolean
}

/** `hykube version` */
export function versionCommand(host: Host): Command {
  const command = new Command('version')
    .description('Print the version of this program, and of the server with --server.')
    .option('--server', 'ask the server for its version too')
    .addHelpText('after', '\nExamples:\n  hykube version\n  hykube version --server -o json')
  return runs<VersionFlags>(addOutputFlag(command, ['json', 'yaml']), host, version)
}

async function version({ flags, terminal, connect }: Invocation<VersionFlags>): Promise<undefined> {
  const client = { version: hykubeVersion(), node: process.versions.node }
  const server =
    flags.server === true
      ? await (await connect()).client.raw<ServerVersion>({ method: 'GET', path: '/version' })
      : undefined
  if (flags.output !== undefined)
    terminal.out(await documentText({ client, ...(server !== undefined && { server }) }, flags.output))
  else {
    terminal.out(`hykube ${client.version} (Node ${client.node})\n`)
    if (server !== undefined) terminal.out(`server ${server.gitVersion}\n`)
  }
  return undefined
}

interface ServerVersion {
  readonly gitVersion: string
}
