import { writeFile } from 'node:fs/promises'
import { inParallel } from '@hykube/machinery/base'
import { isJsonObject, type JsonObject, parseJsonText } from '@hykube/machinery/json'
import { type Client, type ObjectAt, resourcePath } from '@hykube/runtime/client'
import { Command } from 'commander'
import { CommandError } from '../host/failure.ts'
import { addSelectorFlag, repeatable, type SelectionFlags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { type ProviderKind, providerKinds } from '../resources/provider-kinds.ts'
import { pairsFrom } from './state-names.ts'

interface ExportStateFlags extends Pick<SelectionFlags, 'selector'> {
  readonly out?: string
  readonly force?: boolean
  readonly provider?: readonly string[]
}

/** `hykube export-state` */
export function exportStateCommand(host: Host): Command {
  const command = new Command('export-state')
    .description(
      'Write the state of the resources of a namespace as a state file of Terraform or OpenTofu. The file holds sensitive values: keep it safe.',
    )
    .option('--out <file>', 'file to write, readable only for you (default: standard output)')
    .option('--force', 'overwrite the file')
    .addOption(
      repeatable('--provider <provider=source>', 'source of a Provider in the state, such as aws6=hashicorp/aws'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  hykube export-state -n prod --out terraform.tfstate\n  hykube export-state -l team=web > web.tfstate',
    )
  return runs<ExportStateFlags>(addSelectorFlag(command), host, exportState)
}

async function exportState({ flags, terminal, connect }: Invocation<ExportStateFlags>): Promise<undefined> {
  const { client, namespace } = await connect()
  const sources = pairsFrom('--provider', flags.provider ?? [])
  const kinds = (await providerKinds(client)).filter(({ data }) => !data)
  const resources = (
    await inParallel(kinds, 16, (kind) => resourcesOf(client, kind, namespace, flags.selector, sources))
  ).flat()
  refuseSameAddresses(resources)
  const text = `${JSON.stringify(stateOf(resources), undefined, 2)}\n`
  if (flags.out === undefined) terminal.out(text)
  else {
    await writeState(flags.out, text, flags.force === true)
    terminal.err(`Wrote ${resources.length} resources to ${flags.out}, with their sensitive values.\n`)
  }
  return undefined
}

// A file that exists may be the only copy of another state.
async function writeState(file: string, text: string, overwrites: boolean): Promise<void> {
  try {
    await writeFile(file, text, { mode: 0o600, flag: overwrites ? 'w' : 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new CommandError(`${file} exists already`, 'To overwrite it:  --force')
    throw new CommandError(`cannot write ${file}: ${message}`)
  }
}

function stateOf(resources: readonly JsonObject[]): object {
  return {
    version: 4,
    // Every Terraform 1.x reads it.
    terraform_version: '1.0.0',
    serial: 1,
    lineage: crypto.randomUUID(),
    outputs: {},
    resources,
    check_results: null,
  }
}

async function resourcesOf(
  client: Client,
  kind: ProviderKind,
  namespace: string,
  labelSelector: string | undefined,
  sources: ReadonlyMap<string, string>,
): Promise<JsonObject[]> {
  const { group, version, resource } = kind
  const at = { group, version, resource, namespace }
  const found: JsonObject[] = []
  for await (const { items } of client.pages(at, { form: 'metadata', labelSelector })) {
    const names = items.flatMap(({ metadata }) => metadata?.name ?? [])
    const states = await inParallel(names, 16, (name) => readState(client, { ...at, name }))
    found.push(...states.filter(hasInstances).map((each) => withSource(each, sources.get(kind.provider))))
  }
  return found
}

async function readState(client: Client, at: ObjectAt): Promise<JsonObject> {
  const text = await client.rawText({ method: 'GET', path: resourcePath({ ...at, subresource: 'state' }) })
  const { value } = parseJsonText(text)
  const resource = isJsonObject(value) ? value.resource : undefined
  if (!isJsonObject(resource)) throw new CommandError(`the server returned no state of ${at.resource}/${at.name}`)
  return resource
}

function hasInstances({ instances }: JsonObject): boolean {
  return Array.isArray(instances) && instances.length > 0
}

function withSource(resource: JsonObject, source: string | undefined): JsonObject {
  if (source === undefined) return resource
  const full = source.split('/').length === 2 ? `registry.terraform.io/${source}` : source
  return { ...resource, provider: String(resource.provider).replace(/\["[^"]*"\]/, `[${JSON.stringify(full)}]`) }
}

function refuseSameAddresses(resources: readonly JsonObject[]): void {
  const same = [...Map.groupBy(resources, ({ type, name }) => `${String(type)}.${String(name)}`)].filter(
    ([, all]) => all.length > 1,
  )
  if (same.length > 0)
    throw new CommandError(
      `several objects would have the same address in the state: ${same.map(([address]) => address).join(', ')}`,
      'Export them to files of their own, by labels:  -l KEY=VALUE',
    )
}
