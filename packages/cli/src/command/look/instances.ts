import { findCondition } from '@hykube/machinery/object'
import { Command } from 'commander'
import { renderTable } from '../../render/index.ts'
import { addOutputFlag, type OutputFlags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { documentText } from '../host/output.ts'
import { requireAddress } from '../resources/address.ts'
import { type Instance, instancePages } from '../resources/instance-api.ts'
import { getResource, locate } from '../resources/provider-kinds.ts'

/** `hykube instances` */
export function instancesCommand(host: Host): Command {
  const command = new Command('instances')
    .description('List the instances of a resource with count or for_each, with their conditions.')
    .argument('<address>', 'address of the resource, such as sim_instance.web')
    .addHelpText(
      'after',
      '\nExamples:\n  hykube instances sim_instance.web\n  hykube instances sim_instance.web -o json',
    )
  return runs<Flags>(addOutputFlag(command, ['json', 'yaml', 'name']), host, instances)
}

type Flags = OutputFlags<'json' | 'yaml' | 'name'>

async function instances({ args, flags, terminal, connect }: Invocation<Flags>): Promise<undefined> {
  const format = flags.output
  const { client, namespace } = await connect()
  const at = await locate(client, requireAddress(args[0]!), namespace)
  await getResource(client, at)
  let first = true
  // Page by page: there may be more instances than fit into memory.
  for await (const page of instancePages(client, at)) {
    if (format === 'json' || format === 'yaml') {
      for (const each of page)
        terminal.out(format === 'json' ? `${JSON.stringify(each)}\n` : `---\n${await documentText(each, 'yaml')}`)
    } else if (format === 'name') terminal.out(page.map(({ address }) => `${address}\n`).join(''))
    else terminal.out(pageText(page, first))
    first = false
  }
  return undefined
}

function pageText(page: readonly Instance[], withHeadings: boolean): string {
  const rows = page.map(({ index, key, address, attributes, conditions }) => {
    const ready = findCondition(conditions ?? [], 'Ready')
    return [String(index ?? key ?? ''), address, String(attributes?.id ?? ''), ready?.status ?? '', ready?.reason ?? '']
  })
  const text = renderTable(['INSTANCE', 'ADDRESS', 'ID', 'READY', 'REASON'], rows)
  return withHeadings ? text : text.slice(text.indexOf('\n') + 1)
}
