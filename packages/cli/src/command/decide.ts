import { Command } from 'commander'
import { followApply, resultLine } from './apply-plan.ts'
import { CommandError } from './failure.ts'
import { phaseOf } from './follow-plan.ts'
import type { Host } from './host.ts'
import { type Invocation, runs } from './invocation.ts'
import { decidePlan, type Plan, planAt } from './plan-api.ts'

interface DecideFlags {
  readonly message?: string
  readonly follow?: boolean
}

/** `hykube approve` */
export function approveCommand(host: Host): Command {
  const command = new Command('approve')
    .description('Approve a plan. The server carries it out at once; who approved it, and when, is kept with it.')
    .argument('<plan>', 'the name of the plan')
    .option('-m, --message <text>', 'why, for those who read it later')
    .option('--follow', 'follow it to its end')
    .addHelpText('after', '\nExample:\n  hykube approve friday -m "reviewed with Ann" --follow')
  return runs<DecideFlags>(command, host, async (invocation) => {
    const { terminal, flags, connect } = invocation
    const plan = await decide(invocation, 'Approved')
    if (flags.follow !== true) {
      terminal.out(`Plan ${JSON.stringify(plan.metadata.name)} is approved and will be carried out.\n`)
      return undefined
    }
    const connection = await connect()
    const done = await followApply(connection, terminal, planAt(connection.namespace, plan.metadata.name!))
    terminal.out(`${resultLine(connection, done)}\n`)
    return undefined
  })
}

/** `hykube reject` */
export function rejectCommand(host: Host): Command {
  const command = new Command('reject')
    .description('Reject a plan: it can no longer be carried out.')
    .argument('<plan>', 'the name of the plan')
    .option('-m, --message <text>', 'why, for those who read it later')
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
    throw new CommandError(
      `plan ${JSON.stringify(at.name)} ${waits[phase] ?? `is ${phase}`}, so there is nothing to decide`,
    )
  await decidePlan(client, at, decision, flags.message)
  return plan
}

const waits: Readonly<Record<string, string>> = {
  Pending: 'is not made yet',
  Planning: 'is still being made',
  NoChanges: 'has no changes',
  Blocked: 'has only blocked changes',
  Approved: 'was already approved',
  Applying: 'is being applied',
  Applied: 'was already applied',
  PartiallyApplied: 'was already applied',
  Rejected: 'was already rejected',
}
