import type { Client, ResourceAt } from '@hykube/runtime/client'
import { Command } from 'commander'
import { UsageError } from '../host/failure.ts'
import { addSelectorFlag, type SelectionFlags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { namedObjects } from '../resources/named-objects.ts'

type DeleteFlags = Pick<SelectionFlags, 'selector'>

/** `hykube delete` */
export function deleteCommand(host: Host): Command {
  const command = new Command('delete')
    .description(
      'Delete objects. A resource that was applied is only marked: the next plan that is applied destroys it.',
    )
    .argument('<type>', 'resource type, TYPE/NAME, or address such as sim_network.main')
    .argument('[name...]', 'names of objects')
    .addHelpText(
      'after',
      '\nExamples:\n  hykube delete sim_network.main\n  hykube delete plan friday\n  hykube delete plans -l team=web',
    )
  return runs<DeleteFlags>(addSelectorFlag(command), host, deleteObjects)
}

async function deleteObjects({ args, flags, terminal, connect }: Invocation<DeleteFlags>): Promise<undefined> {
  const { client, namespace: own } = await connect()
  for (const { kind, namespace, names } of await namedObjects(client, args, own)) {
    const { group, version, resource, namespaced } = kind
    const at = { group, version, resource, ...(namespaced && { namespace }) }
    if (names.length === 0 && flags.selector === undefined)
      throw new UsageError('name the objects to delete, or select them with -l')
    for (const name of names.length > 0 ? names : await selectedNames(client, at, flags.selector)) {
      const answer = await client.delete({ ...at, name })
      const isMarked = answer.metadata?.deletionTimestamp != null
      terminal.out(`${resource}/${name} ${isMarked ? 'marked for deletion' : 'deleted'}\n`)
    }
  }
}

async function selectedNames(client: Client, at: ResourceAt, labelSelector: string | undefined): Promise<string[]> {
  const names: string[] = []
  for await (const { items } of client.pages(at, { labelSelector, form: 'metadata' }))
    names.push(...items.flatMap(({ metadata }) => metadata?.name ?? []))
  return names
}
