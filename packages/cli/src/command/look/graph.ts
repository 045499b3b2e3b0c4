import { similarName } from '@hykube/machinery/base'
import { addressToText, type Condition, findCondition, type KubernetesObject } from '@hykube/machinery/object'
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
} from '../../render/index.ts'
import { CommandError, UsageError } from '../host/failure.ts'
import { addOutputFlag, addSelectionFlags, type OutputFlags, type SelectionFlags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { addressFromText } from '../resources/address.ts'
import { type ProviderKind, providerKinds } from '../resources/provider-kinds.ts'
import { referencesIn } from '../resources/references.ts'

interface GraphFlags extends SelectionFlags, OutputFlags<'dot' | 'mermaid' | 'svg' | 'json'> {
  readonly depth: number
}

/** `hykube graph` */
export function graphCommand(host: Host): Command {
  const command = new Command('graph')
    .description('Show which resources refer to which: as a tree, or as a graph for other programs with -o.')
    .argument('[address...]', 'only these resources and their neighbors')
    .addOption(new Option('--depth <n>', 'how many references away neighbors may be').argParser(Number).default(1))
    .addHelpText(
      'after',
      '\nExamples:\n  hykube graph\n  hykube graph sim_network.main --depth 2\n  hykube graph -l team=web -o svg > graph.svg',
    )
  addOutputFlag(addSelectionFlags(command), ['dot', 'mermaid', 'svg', 'json'])
  return runs<GraphFlags>(command, host, graph)
}

async function graph({ args, flags, terminal, connect }: Invocation<GraphFlags>): Promise<undefined> {
  const format = flags.output
  if (!Number.isInteger(flags.depth) || flags.depth < 0) throw new UsageError('--depth must be a number from 0 on')
  const { client, namespace } = await connect()
  const home = flags.allNamespaces === true ? undefined : namespace
  const whole = await readGraph(client, home, flags.selector)
  const around = args.map((text) => idOf(text, home))
  for (const id of around) requireNode(whole, id)
  const shown = around.length === 0 ? whole : neighbourhood(whole, around, flags.depth)
  if (shown.nodes.length === 0) terminal.err('There are no resources.\n')
  else if (format === 'dot') terminal.out(graphToDot(shown))
  else if (format === 'mermaid') terminal.out(graphToMermaid(shown))
  else if (format === 'svg') terminal.out(graphToSvg(shown))
  else if (format === 'json') terminal.out(`${JSON.stringify(shown, undefined, 2)}\n`)
  else terminal.out(graphToText(shown, terminal.style))
  return undefined
}

// References are in the specs, so the graph is built from the objects alone.
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
    .map(({ key: _, ...reference }) => {
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
    throw new UsageError(`${JSON.stringify(text)} is not an address; an address is TYPE.NAME, such as sim_network.main`)
  const { key: _, provider: __, namespace, ...rest } = address
  return addressToText({ ...rest, ...(namespace === undefined || namespace === home ? {} : { namespace }) })
}

function requireNode({ nodes }: Graph, id: string): void {
  if (nodes.some((node) => node.id === id)) return
  const near = similarName(
    id,
    nodes.map((node) => node.id),
  )
  throw new CommandError(`${id} does not exist`, ...(near === undefined ? [] : [`Did you mean ${near}?`]))
}
