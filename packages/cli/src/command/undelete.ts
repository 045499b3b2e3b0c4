import { Command } from 'commander'
import { requireAddress } from './address.ts'
import type { Host } from './host.ts'
import { runs } from './invocation.ts'
import { getResource, locate } from './provider-kinds.ts'

/** `hykube undelete` */
export function undeleteCommand(host: Host): Command {
  const command = new Command('undelete')
    .description('Take back the deletion of a resource, as long as no plan is destroying it.')
    .argument('<address>', 'as sim_network.main')
    .addHelpText('after', '\nExample:\n  hykube undelete sim_network.main')
  return runs(command, host, async ({ args, terminal, connect }) => {
    const { client, namespace } = await connect()
    const at = await locate(client, requireAddress(args[0]!), namespace)
    await getResource(client, at)
    await client.create({ ...at, subresource: 'undelete' }, {})
    terminal.out(`${args[0]} is no longer deleted.\n`)
    return undefined
  })
}
