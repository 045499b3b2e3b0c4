import { Command } from 'commander'
import { CommandError } from '../host/failure.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { textOutput } from './apply-output.ts'
import { followApply, resultLine } from './apply-plan.ts'
import { phaseOf } from './follow-plan.ts'
import { decidePlan, type Plan, planAt } from './plan-api.ts'

interface DecideFlags {
  readonly message?: string
  readonly follow?: boolean
}

/** `hykube approve` */
export function approveCommand(host: Host): Command {
  const command = new Command('approve')
    .description('Approve a plan. The server applies it at once and records who approved it and when.')
    .argument('<plan>', 'name of the plan')
    .option('-m, --message <text>', 'comment to record with the decision')
    .option('--follow', 'wait until the plan is applied')
    .addHelpText('after', '\nExample:\n  hykube approve friday -m "reviewed with Ann" --follow')
  return runs<DecideFlags>(command, host, async (invocation) => {
    const { terminal, flags, connect } = invocation
    const plan = await decide(invocation, 'Approved')
    if (flags.follow !== true) {
      terminal.out(`Plan ${JSON.stringify(plan.metadata.name)} is approved and will be applied.\n`)
      return undefined
    }
    const connection = await connect()
    const at = planAt(connection.namespace, plan.metadata.name!)
    const done = await followApply(connection, terminal, at, textOutput(connection, terminal, false))
    terminal.out(`${resultLine(connection, done)}\n`)
    return undefined
  })
}

/** `hykube reject` */
export function rejectCommand(host: Host): Command {
  const command = new Command('reject')
    .description('Reject a plan: it can no longer be applied.')
    .argument('<plan>', 'name of the plan')
    .option('-m, --message <text>', 'comment to record with the decision')
    .addHelpText('after', '\nExample:\n  hykube reject friday -m "not before the weekend"')
  return runs<DecideFlags>(command, host, async (invocation) => {
    const plan = await decide(invocation, 'Rejected')
    invocation.terminal.out(`Plan ${JSON.stringify(plan.metadata.name)} is rejected.\n`)
    return undefined
  })
}

async function decide(
  { args, flags, connect }: Invocation<DecideFlags>,
  decision: 'Approved' | 'Rejected',
): Promise<Plan> {
  const { client, namespace } = await connect()
  const at = planAt(namespace, args[0]!)
  const plan = await client.get<Plan>(at)
  const phase = phaseOf(plan)
  if (phase !== 'Planned')
    throw new CommandError(`plan ${JSON.stringify(at.name)} ${states[phase] ?? `is ${phase}`}: nothing to decide`)
  await decidePlan(client, at, decision, flags.message)
  return plan
}

const states: Readonly<Record<string, string>> = {
  Pending: 'is not planned yet',
  Planning: 'is still being planned',
  NoChanges: 'has no changes',
  Blocked: 'has only blocked changes',
  Approved: 'was already approved',
  Applying: 'is being applied',
  Applied: 'was already applied',
  PartiallyApplied: 'was already applied',
  Rejected: 'was already rejected',
}
