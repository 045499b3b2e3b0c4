import { Command } from 'commander'
import { hasChanges } from '../render/index.ts'
import { refuseBlocked } from './blocked-changes.ts'
import { inNamespace } from './hint.ts'
import type { Host } from './host.ts'
import { type Invocation, outputFormat, runs } from './invocation.ts'
import { makePlan } from './make-plan.ts'
import { printObject } from './output.ts'
import { planAt, planJson } from './plan-api.ts'
import { addPlanFlags, type PlanFlags, planSpecFrom } from './plan-flags.ts'
import { printPlan } from './print-plan.ts'

/** `hykube drift` */
export function driftCommand(host: Host): Command {
  const command = new Command('drift').description(
    'Read everything anew from outside and show what differs from what was applied. Nothing is changed.',
  )
  addPlanFlags(command).addHelpText(
    'after',
    `
To put things back:       hykube plan --refresh all
To accept what is there:  hykube apply NAME, with the name of the plan that drift made

Examples:
  hykube drift -l team=web
  hykube drift --detailed-exitcode`,
  )
  return runs(command, host, drift)
}

const driftFound = 2

async function drift({ flags, terminal, connect }: Invocation<PlanFlags>): Promise<number | undefined> {
  const format = outputFormat(flags, ['json', 'yaml', 'name'])
  const spec = { refresh: 'All' as const, ...planSpecFrom(flags), mode: 'RefreshOnly' as const }
  const connection = await connect()
  const plan = await makePlan(connection, terminal, spec, { name: flags.out })
  const at = planAt(connection.namespace, plan.metadata.name!)
  const flag = inNamespace(connection, connection.namespace)
  const drifted = hasChanges(plan.status?.summary ?? {})
  if (format === 'json') terminal.out(`${JSON.stringify(await planJson(connection.client, at), undefined, 2)}\n`)
  else if (format !== undefined) await printObject(terminal, plan, format, 'plan.hykube.io')
  else
    await printPlan(connection, terminal, plan, at, {
      pager: flags.pager,
      notes: drifted
        ? [
            `To put things back:       hykube plan --refresh all${flag}`,
            `To accept what is there:  hykube apply ${at.name}${flag}`,
          ]
        : [],
    })
  refuseBlocked(plan)
  return flags.detailedExitcode === true && drifted ? driftFound : undefined
}
