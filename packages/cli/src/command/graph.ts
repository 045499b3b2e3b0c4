import { type Condition, findCondition, type KubernetesObject } from '@hykube/machinery/object'
import type { Client } from '@hykube/runtime/client'
import { Command, Option } from 'commander'
import {
  type Graph,
  type GraphNode,
  graphToDot,
  graphToMermaid,
  graphToSvg,
  graphToText,
  neighbourhood,
} from '../render/index.ts'
import { addressFromText, addressToText } from './address.ts'
import { CommandError, UsageError } from './failure.ts'
import type { Host } from './host.ts'
import { type Invocation, outputFormat, runs } from './invocation.ts'
import { type ProviderKind, providerKinds } from './provider-kinds.ts'
import { referencesIn } from './references.ts'
import { closest } from './suggestion.ts'

interface GraphFlags {
  readonly depth: number
}

/** `hykube graph` */
export function graphCommand(host: Host): Command {
  const command = new Command('graph')
    .description('Show what refers to what: as a tree, or -o dot, mermaid or svg.')
    .argument('[address...]', 'only what is around these')
    .addOption(new Option('--depth <n>', 'how many steps around them').argParser(Number).default(1))
    .addHelpText(
      'after',
      '\nExamples:\n  hykube graph\n  hykube graph sim_network.main --depth 2\n  hykube graph -l team=web -o svg > graph.svg',
    )
  return runs<GraphFlags>(command, host, graph)
}

async function graph({ args, flags, terminal, connect }: Invocation<GraphFlags>): Promise<undefined> {
  const format = outputFormat(flags, ['dot', 'mermaid', 'svg', 'json'])
  if (!Number.isInteger(flags.depth) || flags.depth < 0) throw new UsageError('--depth is a number from 0 on')
  const { client, namespace } = await connect()
  const home = flags.allNamespaces === true ? undefined : namespace
  const whole = await readGraph(client, home, flags.selector)
  const around = args.map((text) => idOf(text, home))
  for (const id of around) requireNode(whole, id)
  const shown = around.length === 0 ? whole : neighbourhood(whole, around, flags.depth)
  if (shown.nodes.length === 0) terminal.err('There are no resources here.\n')
  else if (format === 'dot') terminal.out(graphToDot(shown))
  else if (format === 'mermaid') terminal.out(graphToMermaid(shown))
  else if (format === 'svg') terminal.out(graphToSvg(shown))
  else if (format === 'json') terminal.out(`${JSON.stringify(shown, undefined, 2)}\n`)
  else terminal.out(graphToText(shown, terminal.style))
  return undefined
}

// References lie in what users wrote, so the graph is read off the objects; their values are not needed.
async function readGraph(
  client: Client,
  namespace: string | undefined,
  labelSelector: string | undefined,
): Promise<Graph> {
  const kinds = (await providerKinds(client)).filter(({ verbs }) => verbs.includes('list'))
  const nodes: GraphNode[] = []
  for (const kind of kinds) {
    const at = { group: kind.group, version: kind.version, resource: kind.resource, namespace }
    for await (const page of client.pages(at, { labelSelector }))
      for (const object of page.items) nodes.push(nodeOf(object, kind, namespace, kinds))
  }
  return { nodes: nodes.sort((a, b) => (a.id < b.id ? -1 : 1)) }
}

function nodeOf(
  object: KubernetesObject,
  { type, data }: ProviderKind,
  home: string | undefined,
  kinds: readonly ProviderKind[],
): GraphNode {
  const { name = '', namespace = '' } = object.metadata ?? {}
  const types = new Set(kinds.map((kind) => kind.type))
  const uses = referencesIn(object.spec)
    .filter((reference) => types.has(reference.type))
    .map(({ index: _, ...reference }) => {
      const at = reference.namespace ?? namespace
      return addressToText({ ...reference, ...(at === home ? {} : { namespace: at }) })
    })
  const place = namespace === home ? {} : { namespace }
  const id = addressToText({ data, type, name, ...place })
  return { id, uses: [...new Set(uses)].filter((other) => other !== id).sort(), state: stateOf(object) }
}

function stateOf({ status }: KubernetesObject): GraphNode['state'] {
  const conditions = (status as { readonly conditions?: readonly Condition[] } | undefined)?.conditions ?? []
  if (findCondition(conditions, 'Stalled')?.status === 'True') return 'failed'
  return findCondition(conditions, 'Ready')?.status === 'True' ? 'ready' : 'pending'
}

function idOf(text: string, home: string | undefined): string {
  const address = addressFromText(text)
  if (address === undefined)
    throw new UsageError(`${JSON.stringify(text)} is no address: it is written type.name, as sim_network.main`)
  const { index: _, provider: __, namespace, ...rest } = address
  return addressToText({ ...rest, ...(namespace === undefined || namespace === home ? {} : { namespace }) })
}

function requireNode({ nodes }: Graph, id: string): void {
  if (nodes.some((node) => node.id === id)) return
  const near = closest(
    id,
    nodes.map((node) => node.id),
  )
  throw new CommandError(`there is no ${id} here`, ...(near === undefined ? [] : [`Did you mean ${near}?`]))
}
