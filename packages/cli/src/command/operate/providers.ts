import { similarName } from '@hykube/machinery/base'
import { type Condition, findCondition, type KubernetesObject } from '@hykube/machinery/object'
import type { Client } from '@hykube/runtime/client'
import { Command } from 'commander'
import { renderTable } from '../../render/index.ts'
import { CommandError, UsageError } from '../host/failure.ts'
import { addOutputFlag, addSelectorFlag, type OutputFlags, type SelectionFlags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { documentText } from '../host/output.ts'
import { awaitProvider, providers } from '../resources/await-provider.ts'
import { providerKinds } from '../resources/provider-kinds.ts'

/** `hykube providers` */
export function providersCommand(host: Host): Command {
  const command = new Command('providers').description('Install, list and upgrade providers, and see their types.')
  const install = new Command('install')
    .description('Install a provider and wait until it is ready.')
    .argument('<source>', '[HOST/]NAMESPACE/TYPE, such as hykube/sim or hashicorp/aws')
    .argument('[version]', 'version constraint, such as "~> 5.62"')
    .option('--name <name>', 'name of the Provider (default: the type)')
    .addHelpText(
      'after',
      '\nExamples:\n  hykube providers install hykube/sim\n  hykube providers install hashicorp/aws "~> 5.62" --name aws5',
    )
  const list = new Command('list')
    .description('List the providers with their versions and conditions.')
    .addHelpText('after', '\nExample:\n  hykube providers list')
  const upgrade = new Command('upgrade')
    .description('Change the version constraint of a provider and wait until the new version is ready.')
    .argument('<name>', 'name of the Provider')
    .argument('<version>', 'new version constraint, such as "~> 6.0"')
    .addHelpText('after', '\nExample:\n  hykube providers upgrade aws "~> 6.0"')
  const types = new Command('types')
    .description('List the types of the providers with their kinds and resource names.')
    .argument('[name]', 'name of a Provider (default: all)')
    .addHelpText('after', '\nExample:\n  hykube providers types sim')
  const schema = new Command('schema')
    .description('Show the schema of a type as OpenAPI.')
    .argument('<type>', 'type, such as sim_network')
    .addHelpText('after', '\nExample:\n  hykube providers schema sim_network')
  command
    .addCommand(runs<{ name?: string }>(install, host, installProvider))
    .addCommand(runs<ListFlags>(addSelectorFlag(addOutputFlag(list, ['json', 'yaml', 'name'])), host, listProviders))
    .addCommand(runs(upgrade, host, upgradeProvider))
    .addCommand(runs<TypesFlags>(addOutputFlag(types, ['json', 'yaml', 'name']), host, listTypes))
    .addCommand(runs<SchemaFlags>(addOutputFlag(schema, ['json', 'yaml']), host, showSchema))
    .addHelpText('after', '\nExamples:\n  hykube providers install hykube/sim\n  hykube providers types sim')
  return command
}

type TypesFlags = OutputFlags<'json' | 'yaml' | 'name'>
type ListFlags = TypesFlags & Pick<SelectionFlags, 'selector'>
type SchemaFlags = OutputFlags<'json' | 'yaml'>

interface ProviderObject extends KubernetesObject {
  readonly spec?: { readonly source?: string; readonly version?: string }
  readonly status?: {
    readonly conditions?: readonly Condition[]
    readonly lock?: { readonly version?: string }
    /** The number of types, in total or by sort. */
    readonly types?: number | Readonly<Record<string, number>>
    readonly message?: string
  }
}

async function installProvider({ args, flags, terminal, connect }: Invocation<{ name?: string }>): Promise<undefined> {
  const [source, version] = args as [string, string?]
  const name = flags.name ?? source.split('/').at(-1)!
  const { client } = await connect()
  const object = {
    apiVersion: 'hykube.io/v1alpha1',
    kind: 'Provider',
    metadata: { name },
    spec: { source, ...(version !== undefined && { version }) },
  }
  await ready(client, await client.patch({ ...providers, name }, { kind: 'apply', object, force: true }), terminal)
  return undefined
}

async function upgradeProvider({ args, terminal, connect }: Invocation): Promise<undefined> {
  const [name, version] = args as [string, string]
  const { client } = await connect()
  await findProvider(client, name)
  const patch = { spec: { version } }
  await ready(client, await client.patch({ ...providers, name }, { kind: 'merge', patch }), terminal)
  return undefined
}

async function listProviders({ flags, terminal, connect }: Invocation<ListFlags>): Promise<undefined> {
  const format = flags.output
  const { client } = await connect()
  const { items } = await client.list<ProviderObject>(providers, { labelSelector: flags.selector })
  if (format === 'json' || format === 'yaml')
    terminal.out(await documentText({ apiVersion: 'v1', kind: 'List', metadata: {}, items }, format))
  else if (format === 'name')
    terminal.out(items.map(({ metadata }) => `provider.hykube.io/${metadata?.name}\n`).join(''))
  else if (items.length === 0)
    terminal.err('No provider is installed. To install a simulated cloud:  hykube providers install hykube/sim\n')
  else terminal.out(renderTable(['NAME', 'SOURCE', 'VERSION', 'TYPES', 'READY', 'REASON'], items.map(rowOf)))
  return undefined
}

function rowOf({ metadata, spec, status }: ProviderObject): string[] {
  const readiness = findCondition(status?.conditions ?? [], 'Ready')
  return [
    metadata?.name ?? '',
    spec?.source ?? '',
    status?.lock?.version ?? '',
    countOf(status?.types),
    readiness?.status ?? 'Unknown',
    readiness?.reason ?? '',
  ]
}

function countOf(types: number | Readonly<Record<string, number>> | undefined): string {
  if (types === undefined) return ''
  return String(typeof types === 'number' ? types : Object.values(types).reduce((sum, each) => sum + each, 0))
}

async function listTypes({ args, flags, terminal, connect }: Invocation<TypesFlags>): Promise<undefined> {
  const format = flags.output
  const { client } = await connect()
  if (args[0] !== undefined) await findProvider(client, args[0])
  const kinds = (await providerKinds(client)).filter(({ provider }) => args[0] === undefined || provider === args[0])
  const sorted = [...kinds].sort((a, b) => Number(a.data) - Number(b.data) || (a.type < b.type ? -1 : 1))
  if (format === 'name') terminal.out(sorted.map(({ type, data }) => `${data ? 'data.' : ''}${type}\n`).join(''))
  else if (format !== undefined) terminal.out(await documentText(sorted, format))
  else
    terminal.out(
      renderTable(
        ['TYPE', 'KIND', 'APIVERSION', 'RESOURCE'],
        sorted.map(({ type, data, kind, group, version, resource }) => [
          `${data ? 'data.' : ''}${type}`,
          kind,
          `${group}/${version}`,
          resource,
        ]),
      ),
    )
  return undefined
}

async function showSchema({ args, flags, terminal, connect }: Invocation<SchemaFlags>): Promise<undefined> {
  const format = flags.output ?? 'yaml'
  const { client } = await connect()
  const wanted = args[0]!.replace(/^data\./, '')
  const isData = args[0]!.startsWith('data.')
  const kinds = await providerKinds(client)
  const kind = kinds.find(({ type, data }) => type === wanted && data === isData)
  if (kind === undefined) {
    const near = similarName(
      wanted,
      kinds.map(({ type }) => type),
    )
    throw new CommandError(
      `no installed provider has the type ${args[0]}`,
      ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    )
  }
  const path = `/openapi/v3/apis/${kind.group}/${kind.version}`
  const document = await client.raw<OpenApiDocument>({ method: 'GET', path })
  const schemas = document.components?.schemas ?? {}
  const found = Object.values(schemas).find((each) =>
    each['x-kubernetes-group-version-kind']?.some((gvk) => gvk.kind === kind.kind),
  )
  if (found === undefined) throw new CommandError(`the server publishes no schema of ${args[0]}`)
  terminal.out(await documentText(withDefinitions(found.properties?.spec ?? found, schemas, 8), format))
  return undefined
}

// Inlines references, so that the schema can be read from top to bottom. Deep and recursive ones stay references.
function withDefinitions(value: unknown, schemas: Readonly<Record<string, unknown>>, depth: number): unknown {
  if (Array.isArray(value)) return value.map((part) => withDefinitions(part, schemas, depth))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: reference, allOf, ...rest } = value as Record<string, unknown>
  const name = typeof reference === 'string' ? reference.replace('#/components/schemas/', '') : undefined
  if (name !== undefined && depth > 0 && schemas[name] !== undefined)
    return { ...(withDefinitions(schemas[name], schemas, depth - 1) as object), ...rest }
  const own = Object.entries(Array.isArray(allOf) ? rest : value).map(([key, part]) => [
    key,
    withDefinitions(part, schemas, depth),
  ])
  const parts = Array.isArray(allOf) ? (withDefinitions(allOf, schemas, depth) as Schema[]) : []
  return [...parts, Object.fromEntries(own) as Schema].reduceRight((into, part) => together(into, part))
}

type Schema = { readonly properties?: object }

// Merges schemas of the same value; the first has precedence.
function together(first: Schema, second: Schema): Schema {
  const properties = { ...first.properties, ...second.properties }
  return { ...second, ...first, ...(Object.keys(properties).length > 0 && { properties }) }
}

interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, OpenApiSchema>> }
}

interface OpenApiSchema {
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly kind: string }[]
  readonly properties?: Readonly<Record<string, unknown>>
}

async function ready(client: Client, written: KubernetesObject, terminal: Invocation['terminal']): Promise<void> {
  await awaitProvider(client, written, terminal)
  const name = written.metadata?.name ?? ''
  const { spec, status } = await client.get<ProviderObject>({ ...providers, name })
  const version = status?.lock?.version === undefined ? '' : ` ${status.lock.version}`
  terminal.out(`Provider ${JSON.stringify(name)} is ready: ${spec?.source ?? ''}${version}\n`)
}

async function findProvider(client: Client, name: string): Promise<ProviderObject> {
  const found = await client.find<ProviderObject>({ ...providers, name })
  if (found !== undefined) return found
  const { items } = await client.list(providers)
  const near = similarName(
    name,
    items.flatMap(({ metadata }) => metadata?.name ?? []),
  )
  if (name.includes('/'))
    throw new UsageError(`${name} is a source; use the name of the Provider, such as ${name.split('/').at(-1)}`)
  throw new CommandError(
    `Provider ${JSON.stringify(name)} does not exist`,
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
  )
}
