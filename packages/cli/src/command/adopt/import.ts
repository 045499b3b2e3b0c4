import { Command } from 'commander'
import { CommandError, UsageError } from '../host/failure.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { type ApplyFlags, addApplyFlags, applyNew } from '../plans/apply.ts'
import { addKeptPlanFlags } from '../plans/plan-flags.ts'
import { requireAddress } from '../resources/address.ts'
import { getResource, locate } from '../resources/provider-kinds.ts'

/** `hykube import` */
export function importCommand(host: Host): Command {
  const command = new Command('import')
    .description('Adopt a real resource: write its object first, then import the id into it.')
    .argument('<address>', 'address of the object, such as sim_network.main')
    .argument('<id>', "the provider's id of the real resource")
  addKeptPlanFlags(addApplyFlags(command)).addHelpText('after', '\nExample:\n  hykube import sim_network.main net-4711')
  return runs<ApplyFlags>(command, host, adopt)
}

async function adopt(invocation: Invocation<ApplyFlags>): Promise<number | undefined> {
  const [text, id] = invocation.args as [string, string]
  const address = requireAddress(text)
  if (address.data) throw new UsageError('a data source cannot be imported')
  if (address.key !== undefined)
    throw new UsageError(
      `${text} is one of several instances: set the annotation hykube.io/import-id of the object, such as {"0": "ID"}`,
    )
  const { client, namespace } = await invocation.connect()
  const at = await locate(client, address, namespace)
  const object = await getResource(client, at).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
    throw new CommandError(error.message, 'Write the object first:  kubectl apply -f FILE')
  })
  const annotations = { 'hykube.io/import-id': id }
  await client.patch(at, {
    kind: 'merge',
    patch: { metadata: { annotations, resourceVersion: object.metadata.resourceVersion } },
  })
  return applyNew(invocation, { spec: { targets: [text] }, question: 'Do you want to import this resource?' })
}
