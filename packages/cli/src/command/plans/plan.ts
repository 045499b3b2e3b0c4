import { Command } from 'commander'
import { canBeApplied, hasChanges } from '../../render/index.ts'
import { addOutputFlag, type OutputFlags } from '../host/flags.ts'
import type { Connection, Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { addFileFlag, type FileFlags, writeFiles } from '../resources/file-scope.ts'
import { refuseBlocked } from './blocked-changes.ts'
import { inNamespace } from './hint.ts'
import { makePlan } from './make-plan.ts'
import { type Plan, planAt } from './plan-api.ts'
import { addModeFlags, addPlanFlags, type PlanFlags, planSpecFrom } from './plan-flags.ts'
import { type PlanFormat, planFormats, printPlan, printPlanDocument } from './print-plan.ts'

type Flags = PlanFlags & FileFlags & OutputFlags<PlanFormat>

/** `hykube plan` */
export function planCommand(host: Host): Command {
  const command = new Command('plan').description(
    'Create a Plan and show what would be created, updated, replaced and destroyed, and why.',
  )
  addOutputFlag(addModeFlags(addPlanFlags(addFileFlag(command))), planFormats).addHelpText(
    'after',
    `
With -f, the files are written first; this does not change any real resource.
Exits with 1 when every change is blocked. Partly blocked plans exit with 0, or 2 with --detailed-exitcode.
-o json and -o yaml print the plan in Terraform's plan format, -o name its name.

Examples:
  hykube plan -l team=web --out friday
  hykube plan -f network.yaml
  hykube plan --target sim_network.main --detailed-exitcode`,
  )
  return runs<Flags>(command, host, plan)
}

const changesFound = 2

async function plan({ flags, terminal, connect }: Invocation<Flags>): Promise<number | undefined> {
  const wanted = planSpecFrom(flags)
  const connection = await connect()
  const scope = await writeFiles(connection, terminal, flags, wanted)
  if (scope === undefined) {
    terminal.out('No changes.\n')
    return undefined
  }
  const { spec, namespace } = scope
  const made = await makePlan(connection, terminal, spec, { name: flags.out, namespace })
  const at = planAt(namespace, made.metadata.name!)
  if (flags.output !== undefined) await printPlanDocument(connection, terminal, at, flags.output)
  else await printPlan(connection, terminal, made, at, { notes: notesOn(connection, made), pager: flags.pager })
  refuseBlocked(made)
  return flags.detailedExitcode === true && hasChanges(made.status?.summary ?? {}) ? changesFound : undefined
}

function notesOn(connection: Connection, { metadata: { name, namespace }, status }: Plan): string[] {
  if (!canBeApplied(status?.summary ?? {})) return []
  const flag = inNamespace(connection, namespace)
  // With a namespace the line would be wider than 80 columns.
  const gap = flag === '' ? '  ' : '\n  '
  return [`This plan is saved as ${JSON.stringify(name)}. To apply it:${gap}hykube apply ${name}${flag}`]
}
