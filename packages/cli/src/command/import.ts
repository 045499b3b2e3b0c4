import { Command } from 'commander'
import { requireAddress } from './address.ts'
import { applyNew } from './apply.ts'
import { CommandError, UsageError } from './failure.ts'
import type { Host } from './host.ts'
import { type Invocation, runs } from './invocation.ts'
import { addPlanFlags, type PlanFlags } from './plan-flags.ts'
import { getResource, locate } from './provider-kinds.ts'

interface ImportFlags extends PlanFlags {
  readonly autoApprove?: boolean
}

/** `hykube import` */
export function importCommand(host: Host): Command {
  const command = new Command('import')
    .description(
      'Take over something that exists already: the object is written first, then tied to the id of the real thing.',
    )
    .argument('<address>', 'the object that stands for it, as sim_network.main')
    .argument('<id>', "the provider's id of it")
    .option('--auto-approve', 'without asking')
  addPlanFlags(command).addHelpText('after', '\nExample:\n  hykube import sim_network.main net-4711')
  return runs<ImportFlags>(command, host, takeOver)
}

async function takeOver(invocation: Invocation<ImportFlags>): Promise<number | undefined> {
  const [text, id] = invocation.args as [string, string]
  const address = requireAddress(text)
  if (address.data) throw new UsageError('a data source is only read: there is nothing to take over')
  if (address.index !== undefined)
    throw new UsageError(
      `${text} is one instance of several: name the id of each in the object's annotation hykube.io/import-id, as {"0": "ID"}`,
    )
  const { client, namespace } = await invocation.connect()
  const at = await locate(client, address, namespace)
  const object = await getResource(client, at).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
    throw new CommandError(error.message, `Write it first, with what it should be:  kubectl apply -f FILE`)
  })
  const annotations = { 'hykube.io/import-id': id }
  await client.patch(at, {
    kind: 'merge',
    patch: { metadata: { annotations, resourceVersion: object.metadata.resourceVersion } },
  })
  return applyNew(invocation, { spec: { targets: [text] }, question: 'Do you want to take this over?' })
}
