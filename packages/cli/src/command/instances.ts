import { findCondition } from '@hykube/machinery/object'
import { Command } from 'commander'
import { renderTable } from '../render/index.ts'
import { requireAddress } from './address.ts'
import type { Host } from './host.ts'
import { type Instance, instancePages } from './instance-api.ts'
import { type Invocation, outputFormat, runs } from './invocation.ts'
import { documentText } from './output.ts'
import { getResource, locate } from './provider-kinds.ts'

/** `hykube instances` */
export function instancesCommand(host: Host): Command {
  const command = new Command('instances')
    .description('List the instances of a resource that has count or for_each, each with how it stands.')
    .argument('<address>', 'as sim_instance.web')
    .addHelpText(
      'after',
      '\nExamples:\n  hykube instances sim_instance.web\n  hykube instances sim_instance.web -o json',
    )
  return runs(command, host, instances)
}

async function instances({ args, flags, terminal, connect }: Invocation): Promise<undefined> {
  const format = outputFormat(flags, ['json', 'yaml', 'name', 'wide'])
  const { client, namespace } = await connect()
  const at = await locate(client, requireAddress(args[0]!), namespace)
  await getResource(client, at)
  let first = true
  // Page by page: there may be more of them than fit into memory.
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
