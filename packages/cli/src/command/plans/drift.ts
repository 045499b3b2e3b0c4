import type { PlanSpec } from '@hykube/machinery/plan-api'
import { Command } from 'commander'
import { canBeApplied } from '../../render/index.ts'
import { addOutputFlag, type OutputFlags } from '../host/flags.ts'
import type { Connection, Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { refuseBlocked } from './blocked-changes.ts'
import { inNamespace } from './hint.ts'
import { makePlan } from './make-plan.ts'
import { type Plan, planAt } from './plan-api.ts'
import { addPlanFlags, type PlanFlags, planSpecFrom } from './plan-flags.ts'
import { type PlanFormat, planFormats, printPlan, printPlanDocument } from './print-plan.ts'

type Flags = PlanFlags & OutputFlags<PlanFormat> & { readonly all?: boolean }

/** `hykube drift` */
export function driftCommand(host: Host): Command {
  const command = new Command('drift').description(
    'Read all real resources and show what was changed outside since the last apply. Nothing is changed.',
  )
  addOutputFlag(addPlanFlags(command), planFormats)
    .option('--all', 'also show differences that no plan would change')
    .option('--detailed-exitcode', 'exit with 2 when there is drift')
    .addHelpText(
      'after',
      `
To restore the desired state:  hykube apply --refresh all
To accept the changes:         hykube apply NAME, with the name of the plan that drift created

Examples:
  hykube drift -l team=web
  hykube drift --detailed-exitcode`,
    )
  return runs<Flags>(command, host, drift)
}

const driftFound = 2

async function drift({ flags, terminal, connect }: Invocation<Flags>): Promise<number | undefined> {
  const spec: PlanSpec = {
    ...planSpecFrom(flags),
    refresh: 'All',
    mode: 'RefreshOnly',
    ...(flags.all === true && { allDifferences: true }),
  }
  const connection = await connect()
  const plan = await makePlan(connection, terminal, spec, { name: flags.out })
  const at = planAt(connection.namespace, plan.metadata.name!)
  const isDrifted = canBeApplied(plan.status?.summary ?? {})
  if (flags.output !== undefined) await printPlanDocument(connection, terminal, at, flags.output)
  else
    await printPlan(connection, terminal, plan, at, {
      pager: flags.pager,
      notes: isDrifted ? remedies(connection, plan) : [],
    })
  refuseBlocked(plan)
  return flags.detailedExitcode === true && isDrifted ? driftFound : undefined
}

function remedies(connection: Connection, { metadata: { name, namespace } }: Plan): string[] {
  const flag = inNamespace(connection, namespace)
  return [
    `To restore the desired state:  hykube apply --refresh all${flag}`,
    `To accept the changes:         hykube apply ${name}${flag}`,
  ]
}
