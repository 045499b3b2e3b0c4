import type { Client } from '@hykube/runtime/client'
import { Command } from 'commander'
import { askYes } from '../host/ask.ts'
import { CommandError, UsageError } from '../host/failure.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { type ApplyFlags, addApplyFlags, applyNew } from '../plans/apply.ts'
import { addKeptPlanFlags } from '../plans/plan-flags.ts'
import { requireAddress } from '../resources/address.ts'
import { locate } from '../resources/provider-kinds.ts'
import { sendImport, specText, verdictOf } from './state-api.ts'

/** `hykube import` */
export function importCommand(host: Host): Command {
  const command = new Command('import')
    .description(
      'Adopt a real resource. An object that is not written yet gets a spec generated from the resource; into an existing object, the id is imported by a plan.',
    )
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
  const object = await client.find(at)
  if (object === undefined) return write(invocation, client, at, id)
  const annotations = { 'hykube.io/import-id': id }
  await client.patch(at, {
    kind: 'merge',
    patch: { metadata: { annotations, resourceVersion: object.metadata.resourceVersion } },
  })
  return applyNew(invocation, { spec: { targets: [text] }, question: 'Do you want to import this resource?' })
}

async function write(
  { flags, terminal }: Invocation<ApplyFlags>,
  client: Client,
  at: Awaited<ReturnType<typeof locate>>,
  id: string,
): Promise<undefined> {
  const { kind, ...place } = at
  const address = `${kind.type}.${at.name}`
  const isShown = flags.output === undefined
  if (!isShown && flags.autoApprove !== true)
    throw new UsageError('-o json cannot ask for approval: add --auto-approve')
  const planned = await sendImport(client, place, id, true)
  if (isShown) terminal.out(`${address} will be written: ${verdictOf(planned)}\n${await specText(planned)}`)
  const question = 'Do you want to import this resource?'
  const explanation = 'The object will be written and manage the resource. Nothing is changed outside.'
  if (flags.autoApprove !== true && !(await askYes(terminal, question, explanation)))
    throw new CommandError('import canceled')
  const written = await sendImport(client, place, id, false)
  terminal.out(isShown ? `\nImport complete! ${address} manages ${id}.\n` : `${JSON.stringify(written)}\n`)
}
