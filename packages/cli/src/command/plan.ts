import { Command } from 'commander'
import { canBeApplied, hasChanges } from '../render/index.ts'
import { refuseBlocked } from './blocked-changes.ts'
import { addFileFlag, type FileFlags, writeFiles } from './file-scope.ts'
import { inNamespace } from './hint.ts'
import type { Host } from './host.ts'
import { type Invocation, outputFormat, runs } from './invocation.ts'
import { makePlan } from './make-plan.ts'
import { printObject } from './output.ts'
import { planAt, planJson } from './plan-api.ts'
import { addPlanFlags, type PlanFlags, planSpecFrom } from './plan-flags.ts'
import { printPlan } from './print-plan.ts'

/** `hykube plan` */
export function planCommand(host: Host): Command {
  const command = new Command('plan').description(
    'Make a Plan and show it: what would be created, updated, replaced and destroyed, and why.',
  )
  addPlanFlags(addFileFlag(command)).addHelpText(
    'after',
    `
With files, they are written first: that changes nothing outside.
When everything is blocked, it ends with 1; when only a part is, with 0, or with 2 under --detailed-exitcode.
-o json prints Terraform's plan JSON, -o yaml the Plan object, -o name its name.

Examples:
  hykube plan -l team=web --out friday
  hykube plan -f network.yaml
  hykube plan --target sim_network.main --detailed-exitcode`,
  )
  return runs(command, host, plan)
}

const changesFound = 2

async function plan({ flags, terminal, connect }: Invocation<PlanFlags & FileFlags>): Promise<number | undefined> {
  const format = outputFormat(flags, ['json', 'yaml', 'name'])
  const wanted = planSpecFrom(flags)
  const connection = await connect()
  const scope = await writeFiles(connection, terminal, flags, wanted)
  if (scope === undefined) {
    terminal.out('No changes.\n')
    return undefined
  }
  const { spec, namespace } = scope
  const made = await makePlan(connection, terminal, spec, { name: flags.out, namespace })
  const name = made.metadata.name!
  const at = planAt(namespace, name)
  const changed = hasChanges(made.status?.summary ?? {})
  if (format === 'json') terminal.out(`${JSON.stringify(await planJson(connection.client, at), undefined, 2)}\n`)
  else if (format !== undefined) await printObject(terminal, made, format, 'plan.hykube.io')
  else
    await printPlan(connection, terminal, made, at, {
      notes: canBeApplied(made.status?.summary ?? {}) ? [keptNote(name, inNamespace(connection, namespace))] : [],
      pager: flags.pager,
    })
  refuseBlocked(made)
  return flags.detailedExitcode === true && changed ? changesFound : undefined
}

function keptNote(name: string, flag: string): string {
  // With a namespace it would not fit into 80 columns.
  const gap = flag === '' ? '  ' : '\n  '
  return `This plan is kept as ${JSON.stringify(name)}. To carry out exactly this:${gap}hykube apply ${name}${flag}`
}
