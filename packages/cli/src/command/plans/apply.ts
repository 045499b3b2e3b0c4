import { existsSync } from 'node:fs'
import type { PlanSpec } from '@hykube/machinery/plan-api'
import type { ObjectAt } from '@hykube/runtime/client'
import { Command } from 'commander'
import { canBeApplied, hasChanges } from '../../render/index.ts'
import { askYes } from '../host/ask.ts'
import { CommandError, UsageError } from '../host/failure.ts'
import { addOutputFlag, type OutputFlags } from '../host/flags.ts'
import type { Connection, Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import type { Terminal } from '../host/terminal.ts'
import { addFileFlag, type FileFlags, writeFiles } from '../resources/file-scope.ts'
import { type ApplyOutput, jsonOutput, textOutput } from './apply-output.ts'
import { applyPlan, followApply, incompleteLine, resultLine } from './apply-plan.ts'
import { blockedLines, nothingToApply } from './blocked-changes.ts'
import { phaseOf } from './follow-plan.ts'
import { continuation, inNamespace } from './hint.ts'
import { awaitPlan, makePlan } from './make-plan.ts'
import { type Plan, planAt } from './plan-api.ts'
import { addModeFlags, addPlanFlags, type PlanFlags, planSpecFrom } from './plan-flags.ts'

/** The flags of `apply`, `destroy` and `import`. */
export interface ApplyFlags extends PlanFlags, FileFlags, OutputFlags<'json'> {
  readonly autoApprove?: boolean
}

/** `hykube apply` */
export function applyCommand(host: Host): Command {
  const command = new Command('apply')
    .description('Apply a plan. With -f: write the files, plan, ask for approval and apply.')
    .argument('[plan]', 'name of a plan to apply')
  addModeFlags(addPlanFlags(addFileFlag(addApplyFlags(command)))).addHelpText(
    'after',
    `
Without a plan and without -f, plans everything in the namespace, or what -l and --target select.
Blocked changes are left out; the others are applied, and the command exits with 1.
The first Ctrl-C cancels: running changes are finished. The second detaches; the server continues.
-o json prints one JSON object per line, as terraform apply -json does.

Examples:
  hykube apply friday
  hykube apply -f network.yaml --auto-approve
  hykube apply -l team=web`,
  )
  return runs<ApplyFlags>(command, host, apply)
}

/** Adds the flags of every command that applies a plan. */
export function addApplyFlags(command: Command): Command {
  return addOutputFlag(command, ['json']).option('--auto-approve', 'apply without asking')
}

async function apply(invocation: Invocation<ApplyFlags>): Promise<number | undefined> {
  const { flags, args } = invocation
  const [name] = args
  if (name === undefined) return applyNew(invocation)
  refuseFileName(name)
  const given = { ...planSpecFrom(flags), ...(flags.out !== undefined && { name: flags.out }) }
  if (flags.filename !== undefined || Object.keys(given).length > 0)
    throw new UsageError('give the name of a plan, or files and flags for a new plan: a plan is applied as it is')
  return applyExisting(invocation, name)
}

function refuseFileName(name: string): void {
  if (/\.(ya?ml|json)$/.test(name) || existsSync(name))
    throw new UsageError(`${name} is a file, not the name of a plan. To apply it:  hykube apply -f ${name}`)
}

const changesFound = 2

/** Makes a plan, asks for approval and applies it. */
export async function applyNew(
  { flags, terminal, connect }: Invocation<ApplyFlags>,
  { spec: given = {} as PlanSpec, question = usualQuestion } = {},
): Promise<number | undefined> {
  if (flags.output === 'json' && flags.autoApprove !== true)
    throw new UsageError('-o json cannot ask for approval: add --auto-approve, or apply an existing plan')
  const wanted = { ...planSpecFrom(flags), ...given }
  const connection = await connect()
  const output = outputOf(flags, connection, terminal)
  const scope = await writeFiles(connection, terminal, flags, wanted)
  if (scope === undefined) {
    if (flags.output === undefined) terminal.out('No changes.\n')
    output.result({} as Plan, 'Apply complete! Resources: 0 added, 0 changed, 0 destroyed.')
    return undefined
  }
  const { spec, namespace } = scope
  const plan = await makePlan(connection, terminal, spec, { name: flags.out, namespace })
  const at = planAt(namespace, plan.metadata.name!)
  await output.plan(plan, at)
  const summary = plan.status?.summary ?? {}
  if (hasChanges(summary) && !canBeApplied(summary)) throw nothingToApply(plan)
  const waits = hasChanges(summary) && phaseOf(plan) === 'Planned'
  if (waits && flags.autoApprove !== true) await askFor(connection, plan, terminal, question)
  const done = phaseOf(plan) === 'NoChanges' ? plan : await applyPlan(connection, terminal, plan, at, output)
  await printResult(connection, done, at, terminal, output)
  return flags.detailedExitcode === true && hasChanges(summary) ? changesFound : undefined
}

async function applyExisting({ flags, terminal, connect }: Invocation<ApplyFlags>, name: string): Promise<undefined> {
  const connection = await connect()
  const output = outputOf(flags, connection, terminal)
  const at = planAt(connection.namespace, name)
  const plan = await awaitPlan(connection, terminal, at)
  refuseUsed(connection, plan)
  const isPlanned = phaseOf(plan) === 'Planned'
  // As in Terraform: without a terminal, naming a plan is the approval, because the plan was reviewed before.
  if (isPlanned && output.live && flags.autoApprove !== true) {
    await output.plan(plan, at)
    await askFor(connection, plan, terminal, usualQuestion)
  }
  const done =
    phaseOf(plan) === 'NoChanges'
      ? plan
      : isPlanned
        ? await applyPlan(connection, terminal, plan, at, output)
        : await followApply(connection, terminal, at, output)
  await printResult(connection, done, at, terminal, output)
}

function outputOf({ output, pager }: ApplyFlags, connection: Connection, terminal: Terminal): ApplyOutput {
  return output === 'json' ? jsonOutput(connection, terminal) : textOutput(connection, terminal, pager)
}

const usualQuestion = 'Do you want to perform these actions?'

async function askFor(connection: Connection, { metadata }: Plan, terminal: Terminal, question: string): Promise<void> {
  if (await askYes(terminal, question, 'Hykube will perform the actions described above.')) return
  throw new CommandError(
    'Apply canceled.',
    `The plan is kept. To apply it later:  hykube apply ${metadata.name}${inNamespace(connection, metadata.namespace)}`,
  )
}

// Blocked changes are a failure of the whole, as errors are in Terraform, although the others were applied.
async function printResult(
  connection: Connection,
  done: Plan,
  at: ObjectAt,
  terminal: Terminal,
  output: ApplyOutput,
): Promise<void> {
  const line = resultLine(connection, done)
  const { blocked = 0 } = done.status?.summary ?? {}
  if (blocked > 0) throw new CommandError(incompleteLine(done), ...(await blockedLines(connection, at, blocked)))
  output.result(done, line)
  const { followUp } = done.status ?? {}
  if (followUp !== undefined)
    terminal.err(
      `\nDeferred changes are in another plan:  hykube apply ${followUp}${inNamespace(connection, at.namespace)}\n`,
    )
}

function refuseUsed(connection: Connection, plan: Plan): void {
  const { name, namespace } = plan.metadata
  const phase = phaseOf(plan)
  const isUsed =
    phase === 'Applied' || phase === 'PartiallyApplied' || (phase === 'Failed' && plan.status?.approval !== undefined)
  const reason = isUsed ? 'was already applied' : refusals[phase]
  if (reason === undefined) return
  throw new CommandError(
    `plan ${JSON.stringify(name)} ${reason}`,
    phase === 'Blocked'
      ? `Show what blocks it, then plan again:  hykube show ${name}${inNamespace(connection, namespace)}`
      : `A plan can be applied once. Make another one:  ${continuation(connection, plan)}`,
  )
}

const refusals: Readonly<Record<string, string>> = {
  Blocked: 'has nothing to apply: every change in it is blocked',
  Rejected: 'was rejected',
  Canceled: 'was canceled',
  Stale: 'is stale: its inputs have changed',
  Expired: 'has expired: it was not approved in time',
  Failed: 'could not be made',
}
