import { ageOf } from '@hykube/machinery/amounts'
import type { Condition, ResourceAddress } from '@hykube/machinery/object'
import type { Stored } from '@hykube/runtime/client'
import { Command } from 'commander'
import { renderTable } from '../../render/index.ts'
import { CommandError } from '../host/failure.ts'
import { addOutputFlag, type OutputFlags } from '../host/flags.ts'
import type { Connection, Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { documentText } from '../host/output.ts'
import { inNamespace } from '../plans/hint.ts'
import { awaitPlan } from '../plans/make-plan.ts'
import { planAt } from '../plans/plan-api.ts'
import { type PlanFormat, planFormats, printPlan, printPlanDocument } from '../plans/print-plan.ts'
import { addressFromText } from '../resources/address.ts'
import { getResource, locate, type ProviderKind } from '../resources/provider-kinds.ts'

interface ShowFlags extends OutputFlags<PlanFormat> {
  readonly pager?: boolean
}

/** `hykube show` */
export function showCommand(host: Host): Command {
  const command = new Command('show')
    .description('Show a resource with the attributes that its provider returned, or a plan with its changes.')
    .argument('<address|plan>', 'address such as sim_network.main, or name of a plan')
    .option('--no-pager', 'print long plans without a pager')
    .addHelpText(
      'after',
      `
-o json and -o yaml print a resource as its object, and a plan in Terraform's plan format.
To print the Plan object:  hykube get plan NAME -o yaml

Examples:
  hykube show sim_network.main
  hykube show friday -o json`,
    )
  return runs<ShowFlags>(addOutputFlag(command, planFormats), host, async (invocation) => {
    const address = addressFromText(invocation.args[0]!)
    return address === undefined ? showPlan(invocation) : showResource(invocation, address)
  })
}

async function showPlan({ args, flags, terminal, connect }: Invocation<ShowFlags>): Promise<undefined> {
  const connection = await connect()
  const at = planAt(connection.namespace, args[0]!)
  const plan = await awaitPlan(connection, terminal, at)
  if (flags.output !== undefined) return printPlanDocument(connection, terminal, at, flags.output) as Promise<undefined>
  await printPlan(connection, terminal, plan, at, {
    pager: flags.pager,
    notes: [`Plan ${JSON.stringify(at.name)} is ${plan.status?.phase}.`],
  })
}

async function showResource(
  { flags, terminal, connect }: Invocation<ShowFlags>,
  address: ResourceAddress,
): Promise<undefined> {
  const connection = await connect()
  const at = await locate(connection.client, address, connection.namespace)
  const object =
    address.key === undefined ? await getResource(connection.client, at) : await instanceOf(connection, at, address)
  const { output } = flags
  if (output === 'name') terminal.out(`${at.resource}.${at.group}/${at.name}\n`)
  else if (output !== undefined) terminal.out(await documentText(object, output))
  else
    terminal.out(
      await described(
        object as Resource,
        at.kind,
        at.name,
        address.key,
        terminal,
        inNamespace(connection, at.namespace),
      ),
    )
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
  { key }: ResourceAddress,
): Promise<object> {
  const { instancePages } = await import('../resources/instance-api.ts')
  for await (const page of instancePages(connection.client, at))
    for (const each of page) if ((each.index ?? each.key) === key) return { metadata: { name: at.name }, status: each }
  throw new CommandError(
    `${at.kind.type}.${at.name} has no instance ${JSON.stringify(key)}`,
    `List all:  hykube instances ${at.kind.type}.${at.name}${inNamespace(connection, at.namespace)}`,
  )
}

async function described(
  { metadata, spec, status }: Resource,
  kind: ProviderKind,
  name: string,
  key: ResourceAddress['key'],
  { style, now }: Invocation['terminal'],
  namespaceFlag: string,
): Promise<string> {
  const { quoteValue } = await import('../resources/attribute-text.ts')
  const attributes = Object.entries(status?.attributes ?? spec ?? {}).sort(([a], [b]) => a.localeCompare(b))
  const width = Math.max(0, ...attributes.map(([attribute]) => attribute.length))
  const address = `${kind.type}.${name}${key === undefined ? '' : `[${JSON.stringify(key)}]`}`
  const lines = [
    style.bold(`# ${address}`),
    `${kind.data ? 'data' : 'resource'} ${JSON.stringify(kind.type)} ${JSON.stringify(name)} {`,
    ...attributes.map(([attribute, value]) => `    ${attribute.padEnd(width)} = ${quoteValue(value, 1)}`),
    '}',
    '',
  ]
  const conditions = (status?.conditions ?? []).map(({ type, status: is, reason, message, lastTransitionTime }) => [
    type,
    is,
    reason,
    // Conditions of an instance are computed when they are read: they have no time.
    lastTransitionTime === undefined ? '' : ageOf(lastTransitionTime, now()),
    message ?? '',
  ])
  const table =
    conditions.length === 0 ? '' : renderTable(['CONDITION', 'STATUS', 'REASON', 'SINCE', 'MESSAGE'], conditions)
  const deletion =
    metadata.deletionTimestamp == null
      ? ''
      : `\nIt is marked for deletion: the next plan destroys it. To undo this:  hykube undelete ${kind.type}.${name}${namespaceFlag}\n`
  return `${lines.join('\n')}\n${table}${deletion}`
}
