import type { ObjectAt } from '@hykube/runtime/client'
import { Command } from 'commander'
import { canBeApplied, hasChanges } from '../render/index.ts'
import { applyPlan, followApply, incompleteLine, resultLine } from './apply-plan.ts'
import { askYes } from './ask.ts'
import { blockedLines, nothingToApply } from './blocked-changes.ts'
import { CommandError, UsageError } from './failure.ts'
import { addFileFlag, type FileFlags, writeFiles } from './file-scope.ts'
import { phaseOf } from './follow-plan.ts'
import { continuation, inNamespace } from './hint.ts'
import type { Connection, Host } from './host.ts'
import { type Invocation, runs } from './invocation.ts'
import { awaitPlan, makePlan } from './make-plan.ts'
import { type Plan, type PlanSpec, planAt } from './plan-api.ts'
import { addPlanFlags, type PlanFlags, planSpecFrom } from './plan-flags.ts'
import { printPlan } from './print-plan.ts'
import type { Terminal } from './terminal.ts'

/** What `apply` takes besides the flags of a plan. */
export interface ApplyFlags extends PlanFlags, FileFlags {
  readonly autoApprove?: boolean
}

/** `hykube apply` */
export function applyCommand(host: Host): Command {
  const command = new Command('apply')
    .description('Carry out a plan. With files, write them, plan what they hold, ask, and apply in one go.')
    .argument('[plan]', 'the name of a plan that was made before')
    .option('--auto-approve', 'without asking')
  addPlanFlags(addFileFlag(command)).addHelpText(
    'after',
    `
Without a plan and files it plans everything in the namespace, or what -l and --target select.
What is blocked is left out: the rest is applied, and the command ends with 1.
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
  { spec: given = {} as PlanSpec, question = usualQuestion } = {},
): Promise<undefined> {
  const wanted = { ...planSpecFrom(flags), ...given }
  const connection = await connect()
  const scope = await writeFiles(connection, terminal, flags, wanted)
  if (scope === undefined) {
    terminal.out('No changes.\n\nApply complete! Resources: 0 added, 0 changed, 0 destroyed.\n')
    return undefined
  }
  const { spec, namespace } = scope
  const plan = await makePlan(connection, terminal, spec, { name: flags.out, namespace })
  const at = planAt(namespace, plan.metadata.name!)
  await printPlan(connection, terminal, plan, at, { pager: flags.pager })
  const summary = plan.status?.summary ?? {}
  if (hasChanges(summary) && !canBeApplied(summary)) throw nothingToApply(plan)
  const waits = hasChanges(summary) && phaseOf(plan) === 'Planned'
  if (waits && flags.autoApprove !== true) await askFor(plan, terminal, question)
  const done = phaseOf(plan) === 'NoChanges' ? plan : await applyPlan(connection, terminal, plan, at)
  terminal.out('\n')
  await tellResult(connection, done, at, terminal)
}

async function applyMade({ flags, terminal, connect }: Invocation<ApplyFlags>, name: string): Promise<undefined> {
  const connection = await connect()
  const at = planAt(connection.namespace, name)
  const plan = await awaitPlan(connection, terminal, connection.namespace, name)
  refuseUsed(connection, plan)
  // Without a terminal the name of a plan that was looked at before is the answer, as it is to Terraform.
  if (phaseOf(plan) === 'Planned' && terminal.live && flags.autoApprove !== true) {
    await printPlan(connection, terminal, plan, at, { pager: flags.pager })
    await askFor(plan, terminal, usualQuestion)
  }
  const done =
    phaseOf(plan) === 'NoChanges'
      ? plan
      : phaseOf(plan) === 'Planned'
        ? await applyPlan(connection, terminal, plan, at)
        : await followApply(connection, terminal, at)
  await tellResult(connection, done, at, terminal)
}

const usualQuestion = 'Do you want to perform these actions?'

async function askFor({ metadata }: Plan, terminal: Terminal, question: string): Promise<void> {
  if (await askYes(terminal, question, 'Hykube will perform the actions described above.')) return
  throw new CommandError(
    'Apply canceled.',
    `The plan is kept. To carry it out later:  hykube apply ${metadata.name} -n ${metadata.namespace}`,
  )
}

// As with an error of Terraform, what could not be planned is a failure of the whole, though the rest was applied.
async function tellResult(connection: Connection, done: Plan, at: ObjectAt, terminal: Terminal): Promise<void> {
  const { bold, green } = terminal.style
  const line = resultLine(connection, done)
  const { blocked = 0 } = done.status?.summary ?? {}
  if (blocked > 0) throw new CommandError(incompleteLine(done), ...(await blockedLines(connection, at, blocked)))
  terminal.out(`${bold(green(line))}\n`)
}

function refuseUsed(connection: Connection, plan: Plan): void {
  const { name } = plan.metadata
  const phase = phaseOf(plan)
  const isUsed =
    phase === 'Applied' || phase === 'PartiallyApplied' || (phase === 'Failed' && plan.status?.approval !== undefined)
  const why = isUsed ? 'was already applied' : refusals[phase]
  if (why === undefined) return
  throw new CommandError(
    `plan ${JSON.stringify(name)} ${why}`,
    phase === 'Blocked'
      ? `Fix what is in the way, and plan again:  hykube show ${name}${inNamespace(connection, plan.metadata.namespace)}`
      : `A plan is carried out once. Make another one:  ${continuation(connection, plan)}`,
  )
}

const refusals: Readonly<Record<string, string>> = {
  Blocked: 'has nothing to apply: everything in it is blocked',
  Rejected: 'was rejected',
  Canceled: 'was canceled',
  Stale: 'is stale: what it was made from has changed',
  Expired: 'has expired: nobody approved it in time',
  Failed: 'could not be made',
}
