import { Command, Option } from 'commander'
import { hasChanges } from '../render/index.ts'
import { addressToText } from './address.ts'
import { applyPlan, followApply, resultLine } from './apply-plan.ts'
import { askYes } from './ask.ts'
import { readDocuments } from './documents.ts'
import { CommandError, UsageError } from './failure.ts'
import { phaseOf } from './follow-plan.ts'
import type { Connection, Host } from './host.ts'
import { type Invocation, runs } from './invocation.ts'
import { awaitPlan, makePlan } from './make-plan.ts'
import { type Plan, type PlanSpec, planAt } from './plan-api.ts'
import { addPlanFlags, type PlanFlags, planSpecFrom } from './plan-flags.ts'
import { printPlan } from './print-plan.ts'
import { isProviderGroup, typeOf } from './provider-kinds.ts'
import { type WrittenPlace, writeObjects } from './write-objects.ts'

/** What `apply` takes besides the flags of a plan. */
export interface ApplyFlags extends PlanFlags {
  readonly filename?: readonly string[]
  readonly autoApprove?: boolean
}

/** `hykube apply` */
export function applyCommand(host: Host): Command {
  const command = new Command('apply')
    .description('Carry out a plan. With files, write them, plan what they hold, ask, and apply in one go.')
    .argument('[plan]', 'the name of a plan that was made before')
    .addOption(
      new Option(
        '-f, --filename <file>',
        'a file, a directory, or - for what is piped in; may be given several times',
      ).argParser((value, others: readonly string[] | undefined) => [...(others ?? []), value]),
    )
    .option('--auto-approve', 'without asking')
  addPlanFlags(command).addHelpText(
    'after',
    `
Without a plan and files it plans everything in the namespace, or what -l and --target select.
Ctrl-C once ends it gently: what is running is finished. Twice leaves it to the server.

Examples:
  hykube apply friday
  hykube apply -f network.yaml --auto-approve
  hykube apply -l team=web`,
  )
  return runs(command, host, apply)
}

async function apply(invocation: Invocation<ApplyFlags>): Promise<number | undefined> {
  const { flags, args } = invocation
  const [name] = args
  if (name !== undefined && flags.filename !== undefined)
    throw new UsageError('give either the name of a plan or files, not both: a plan is carried out as it is')
  return name === undefined ? applyNew(invocation) : applyMade(invocation, name)
}

/** Makes a plan, asks, and carries it out. */
export async function applyNew(
  { flags, terminal, connect }: Invocation<ApplyFlags>,
  { spec: given = {} as PlanSpec, question = 'Do you want to perform these actions?' } = {},
): Promise<number | undefined> {
  const wanted = { ...planSpecFrom(flags), ...given }
  const connection = await connect()
  const written = flags.filename === undefined ? undefined : await write(connection, flags.filename, terminal)
  const { spec, namespace } =
    written === undefined ? { spec: wanted, namespace: connection.namespace } : narrowed(wanted, written, connection)
  const plan = await makePlan(connection, terminal, spec, { name: flags.out, namespace })
  const at = planAt(namespace, plan.metadata.name!)
  await printPlan(connection, terminal, plan, at, { pager: flags.pager })
  if (hasChanges(plan.status?.summary ?? {}) && phaseOf(plan) === 'Planned') {
    const isApproved =
      flags.autoApprove === true ||
      (await askYes(terminal, question, 'Hykube will perform the actions described above.'))
    if (!isApproved)
      throw new CommandError(
        'Apply canceled.',
        `The plan is kept. To carry it out later:  hykube apply ${at.name} -n ${namespace}`,
      )
  }
  const done = phaseOf(plan) === 'NoChanges' ? plan : await applyPlan(connection, terminal, plan, at)
  terminal.out(`\n${terminal.style.bold(terminal.style.green(resultLine(done)))}\n`)
  return undefined
}

async function applyMade(
  { flags, terminal, connect }: Invocation<ApplyFlags>,
  name: string,
): Promise<number | undefined> {
  const connection = await connect()
  const at = planAt(connection.namespace, name)
  const plan = await awaitPlan(connection, terminal, connection.namespace, name)
  refuseUsed(plan)
  if (phaseOf(plan) === 'Planned' && terminal.live && flags.autoApprove !== true) {
    await printPlan(connection, terminal, plan, at, { pager: flags.pager })
    if (
      !(await askYes(
        terminal,
        'Do you want to perform these actions?',
        'Hykube will perform the actions described above.',
      ))
    )
      throw new CommandError('Apply canceled.', `The plan is kept. To carry it out later:  hykube apply ${name}`)
  }
  const done =
    phaseOf(plan) === 'Planned'
      ? await applyPlan(connection, terminal, plan, at)
      : phaseOf(plan) === 'NoChanges'
        ? plan
        : await followApply(connection, terminal, at)
  terminal.out(`${terminal.style.bold(terminal.style.green(resultLine(done)))}\n`)
  return undefined
}

function refuseUsed(plan: Plan): void {
  const { name } = plan.metadata
  const phase = phaseOf(plan)
  if (
    phase === 'Applied' ||
    phase === 'PartiallyApplied' ||
    (phase === 'Failed' && plan.status?.startedAt !== undefined)
  )
    throw new CommandError(
      `plan ${JSON.stringify(name)} was already applied`,
      'A plan is carried out once. Make another one:  hykube plan',
    )
  const why = refusals[phase]
  if (why !== undefined) throw new CommandError(`plan ${JSON.stringify(name)} ${why}`, 'Make another one:  hykube plan')
}

const refusals: Readonly<Record<string, string>> = {
  Rejected: 'was rejected',
  Canceled: 'was canceled',
  Stale: 'is stale: what it was made from has changed',
  Expired: 'has expired: nobody approved it in time',
  Failed: 'could not be made',
}

async function write(
  connection: Connection,
  files: readonly string[],
  terminal: Invocation['terminal'],
): Promise<WrittenPlace[]> {
  const objects = await readDocuments(files, terminal)
  const written = await writeObjects(objects, { client: connection.client, namespace: connection.namespace, terminal })
  terminal.err(`Wrote ${written.length} object${written.length === 1 ? '' : 's'}.\n`)
  return written
}

// What is in the files is what shall change, with all it refers to; other people's writes wait for their own plan.
function narrowed(
  spec: PlanSpec,
  written: readonly WrittenPlace[],
  connection: Connection,
): { spec: PlanSpec; namespace: string } {
  const resources = written.filter(({ at }) => isProviderGroup(at.group))
  const namespaces = [...new Set(resources.map(({ at }) => at.namespace ?? connection.namespace))]
  const namespace = namespaces.length === 1 ? namespaces[0]! : connection.namespace
  if (resources.length === 0 || spec.targets !== undefined || spec.selector !== undefined || spec.kinds !== undefined)
    return { spec, namespace }
  const targets = resources.map(({ at, kind }) =>
    addressToText({
      data: at.group.startsWith('data.'),
      type: typeOf(kind),
      name: at.name,
      ...(at.namespace !== namespace && { namespace: at.namespace! }),
    }),
  )
  return { spec: { ...spec, targets, ...(namespaces.length > 1 && { allNamespaces: true }) }, namespace }
}
