import { Command } from 'commander'
import type { Host } from '../host/host.ts'
import { runs } from '../host/invocation.ts'
import { requireAddress } from '../resources/address.ts'
import { getResource, locate } from '../resources/provider-kinds.ts'

/** `hykube undelete` */
export function undeleteCommand(host: Host): Command {
  const command = new Command('undelete')
    .description('Undo the deletion of a resource, unless a plan is destroying it already.')
    .argument('<address>', 'address of the resource, such as sim_network.main')
    .addHelpText('after', '\nExample:\n  hykube undelete sim_network.main')
  return runs(command, host, async ({ args, terminal, connect }) => {
    const { client, namespace } = await connect()
    const at = await locate(client, requireAddress(args[0]!), namespace)
    await getResource(client, at)
    await client.create({ ...at, subresource: 'undelete' }, {})
    terminal.out(`${args[0]} is no longer marked for deletion.\n`)
    return undefined
  })
}
