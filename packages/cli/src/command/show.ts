import { ageOf, type Condition } from '@hykube/machinery/object'
import type { Stored } from '@hykube/runtime/client'
import { Command } from 'commander'
import { renderTable } from '../render/index.ts'
import { type Address, addressFromText } from './address.ts'
import { inNamespace } from './hint.ts'
import type { Connection, Host } from './host.ts'
import { type Invocation, outputFormat, runs } from './invocation.ts'
import { awaitPlan } from './make-plan.ts'
import { documentText, printObject } from './output.ts'
import { planAt, planJson } from './plan-api.ts'
import { printPlan } from './print-plan.ts'
import { getResource, locate, type ProviderKind } from './provider-kinds.ts'

/** `hykube show` */
export function showCommand(host: Host): Command {
  const command = new Command('show')
    .description('Show a resource with what the provider returned, or a plan with its changes.')
    .argument('<address|plan>', 'an address as sim_network.main, or the name of a plan')
    .option('--no-pager', 'write a long plan without a pager')
    .addHelpText('after', '\nExamples:\n  hykube show sim_network.main\n  hykube show friday -o json')
  return runs<{ pager?: boolean }>(command, host, async (invocation) => {
    const address = addressFromText(invocation.args[0]!)
    return address === undefined ? showPlan(invocation) : showResource(invocation, address)
  })
}

async function showPlan({ args, flags, terminal, connect }: Invocation<{ pager?: boolean }>): Promise<undefined> {
  const format = outputFormat(flags, ['json', 'yaml', 'name'])
  const connection = await connect()
  const name = args[0]!.replace(/^plans?(\.hykube\.io)?\//, '')
  const at = planAt(connection.namespace, name)
  if (format === 'json') {
    terminal.out(await documentText(await planJson(connection.client, at), 'json'))
    return undefined
  }
  const plan = await awaitPlan(connection, terminal, connection.namespace, name)
  if (format !== undefined) await printObject(terminal, plan, format, 'plan.hykube.io')
  else
    await printPlan(connection, terminal, plan, at, {
      pager: flags.pager,
      notes: [`Plan ${JSON.stringify(name)} is ${plan.status?.phase}.`],
    })
  return undefined
}

async function showResource({ flags, terminal, connect }: Invocation, address: Address): Promise<undefined> {
  const format = outputFormat(flags, ['json', 'yaml', 'name', 'wide'])
  const connection = await connect()
  const at = await locate(connection.client, address, connection.namespace)
  const object =
    address.index === undefined ? await getResource(connection.client, at) : await instanceOf(connection, at, address)
  if (format === 'json' || format === 'yaml') terminal.out(await documentText(object, format))
  else if (format === 'name') terminal.out(`${at.resource}.${at.group}/${at.name}\n`)
  else terminal.out(await described(object as Resource, at.kind, at.name, address.index, terminal))
  return undefined
}

interface Resource extends Stored {
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: {
    readonly attributes?: Readonly<Record<string, unknown>>
    readonly conditions?: readonly (Pick<Condition, 'type' | 'status' | 'reason'> & Partial<Condition>)[]
  }
}

async function instanceOf(
  connection: Connection,
  at: Awaited<ReturnType<typeof locate>>,
  { index }: Address,
): Promise<object> {
  const { instancePages } = await import('./instance-api.ts')
  for await (const page of instancePages(connection.client, at))
    for (const each of page)
      if ((each.index ?? each.key) === index) return { metadata: { name: at.name }, status: each }
  const { CommandError } = await import('./failure.ts')
  throw new CommandError(
    `${at.kind.type}.${at.name} has no instance ${JSON.stringify(index)}`,
    `See all:  hykube instances ${at.kind.type}.${at.name}${inNamespace(connection, at.namespace)}`,
  )
}

async function described(
  { metadata, spec, status }: Resource,
  kind: ProviderKind,
  name: string,
  index: Address['index'],
  { style, now }: Invocation['terminal'],
): Promise<string> {
  const { quoteValue } = await import('./attribute-text.ts')
  const shown = Object.entries(status?.attributes ?? spec ?? {}).sort(([a], [b]) => a.localeCompare(b))
  const width = Math.max(0, ...shown.map(([key]) => key.length))
  const lines = [
    style.bold(`# ${kind.type}.${name}${index === undefined ? '' : `[${JSON.stringify(index)}]`}`),
    `${kind.data ? 'data' : 'resource'} ${JSON.stringify(kind.type)} ${JSON.stringify(name)} {`,
    ...shown.map(([key, value]) => `    ${key.padEnd(width)} = ${quoteValue(value, 1)}`),
    '}',
    '',
  ]
  const conditions = (status?.conditions ?? []).map(({ type, status: is, reason, message, lastTransitionTime }) => [
    type,
    is,
    reason,
    // Conditions of an instance are computed as they are read: they have no time.
    lastTransitionTime === undefined ? '' : ageOf(lastTransitionTime, now()),
    message ?? '',
  ])
  const deleted =
    metadata.deletionTimestamp == null
      ? []
      : ['', 'It is deleted: the next plan that is applied destroys it. To take that back:  hykube undelete']
  return `${lines.join('\n')}\n${conditions.length === 0 ? '' : renderTable(['CONDITION', 'STATUS', 'REASON', 'SINCE', 'MESSAGE'], conditions)}${deleted.map((line) => `${line}\n`).join('')}`
}
