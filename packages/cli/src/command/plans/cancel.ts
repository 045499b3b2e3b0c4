import { Command } from 'commander'
import type { Host } from '../host/host.ts'
import { runs } from '../host/invocation.ts'
import { cancelPlan, planAt } from './plan-api.ts'

/** `hykube cancel` */
export function cancelCommand(host: Host): Command {
  const command = new Command('cancel')
    .description('Cancel a plan: running changes are finished, no further change begins.')
    .argument('<plan>', 'name of the plan')
    .addHelpText('after', '\nExample:\n  hykube cancel friday')
  return runs(command, host, async ({ args, terminal, connect }) => {
    const { client, namespace } = await connect()
    const at = planAt(namespace, args[0]!)
    await cancelPlan(client, at)
    terminal.out(`Plan ${JSON.stringify(at.name)} is being canceled.\n`)
    return undefined
  })
}
