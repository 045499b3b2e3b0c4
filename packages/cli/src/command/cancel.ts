import { Command } from 'commander'
import type { Host } from './host.ts'
import { runs } from './invocation.ts'
import { cancelPlan, planAt } from './plan-api.ts'

/** `hykube cancel` */
export function cancelCommand(host: Host): Command {
  const command = new Command('cancel')
    .description('Cancel a plan: what is running is finished, nothing new begins.')
    .argument('<plan>', 'the name of the plan')
    .addHelpText('after', '\nExample:\n  hykube cancel friday')
  return runs(command, host, async ({ args, terminal, connect }) => {
    const { client, namespace } = await connect()
    await cancelPlan(client, planAt(namespace, args[0]!))
    terminal.out(`Plan ${JSON.stringify(args[0])} is being canceled.\n`)
    return undefined
  })
}
