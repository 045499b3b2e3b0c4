import type { KubernetesObject } from '@hykube/machinery/object'
import { type Client, queryFrom, resourcePath } from '@hykube/runtime/client'
import { Command } from 'commander'
import { renderTable } from '../../render/index.ts'
import { addOutputFlag, addSelectionFlags, type OutputFlags, type SelectionFlags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { documentText } from '../host/output.ts'
import { type NamedObjects, namedObjects } from '../resources/named-objects.ts'
import { tokenPages } from '../resources/token-pages.ts'

type GetFlags = SelectionFlags & OutputFlags<'json' | 'yaml' | 'name' | 'wide'>

/** `hykube get` */
export function getCommand(host: Host): Command {
  const command = new Command('get')
    .description('Show objects as a table, as kubectl get does.')
    .argument('<type>', 'resource type, TYPE/NAME, or address such as sim_network.main')
    .argument('[name...]', 'names of objects (default: all)')
    .addHelpText(
      'after',
      '\nExamples:\n  hykube get plans\n  hykube get simnetwork main -o yaml\n  hykube get sim_network.main',
    )
  addOutputFlag(addSelectionFlags(command), ['json', 'yaml', 'name', 'wide'])
  return runs<GetFlags>(command, host, get)
}

async function get({ args, flags, terminal, connect }: Invocation<GetFlags>): Promise<undefined> {
  const { client, namespace } = await connect()
  const { output } = flags
  const wanted = await namedObjects(client, args, namespace)
  const objects: KubernetesObject[] = []
  for (const each of wanted)
    for await (const { columnDefinitions, rows } of tables(client, each, flags)) {
      objects.push(...rows.map(({ object }) => object))
      if (output === 'name') terminal.out(rows.map(({ object }) => `${nameOf(each, object)}\n`).join(''))
      if (output !== undefined && output !== 'wide') continue
      const shown = columnDefinitions.map(({ priority = 0 }) => priority === 0 || output === 'wide')
      const cells = (all: readonly unknown[]) => all.filter((_, column) => shown[column]).map(String)
      const home = flags.allNamespaces === true && each.kind.namespaced
      const headings = cells(columnDefinitions.map(({ name }) => name.toUpperCase()))
      if (rows.length > 0)
        terminal.out(
          renderTable(
            home ? ['NAMESPACE', ...headings] : headings,
            rows.map((row) => [...(home ? [row.object.metadata?.namespace ?? ''] : []), ...cells(row.cells)]),
          ),
        )
    }
  if (output === 'json' || output === 'yaml') {
    const isOne = wanted.length === 1 && wanted[0]!.names.length === 1
    const list = { apiVersion: 'v1', kind: 'List', metadata: {}, items: objects }
    terminal.out(await documentText(isOne ? objects[0] : list, output))
  } else if (objects.length === 0)
    terminal.err(
      flags.allNamespaces === true ? 'No resources found.\n' : `No resources found in ${namespace} namespace.\n`,
    )
}

interface Table {
  readonly metadata?: { readonly continue?: string }
  readonly columnDefinitions: readonly { readonly name: string; readonly priority?: number }[]
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: KubernetesObject }[]
}

/** The tables that the server makes: one for each name, or the pages of a list. */
async function* tables(
  client: Client,
  { kind, namespace, names }: NamedObjects,
  flags: GetFlags,
): AsyncGenerator<Table> {
  const { group, version, resource, namespaced } = kind
  const isEverywhere = flags.allNamespaces === true && names.length === 0
  const at = { group, version, resource, ...(namespaced && !isEverywhere && { namespace }) }
  const includeObject = flags.output === 'json' || flags.output === 'yaml' ? 'Object' : 'Metadata'
  const ask = (path: string, more: Parameters<typeof queryFrom>[0] = {}) =>
    client.raw<Table>({
      method: 'GET',
      path,
      query: queryFrom({ includeObject, ...more }),
      headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
    })
  for (const name of names) yield await ask(resourcePath({ ...at, name }))
  if (names.length > 0) return
  yield* tokenPages((token) => ask(resourcePath(at), { limit: 500, labelSelector: flags.selector, continue: token }))
}

function nameOf({ kind }: NamedObjects, { metadata }: KubernetesObject): string {
  return `${kind.kind.toLowerCase()}${kind.group === '' ? '' : `.${kind.group}`}/${metadata?.name ?? ''}`
}
