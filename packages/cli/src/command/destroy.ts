import { Command } from 'commander'
import { applyNew } from './apply.ts'
import type { Host } from './host.ts'
import { runs } from './invocation.ts'
import { addPlanFlags, type PlanFlags } from './plan-flags.ts'

interface DestroyFlags extends PlanFlags {
  readonly autoApprove?: boolean
}

/** `hykube destroy` */
export function destroyCommand(host: Host): Command {
  const command = new Command('destroy')
    .description('Remove what is outside. The objects stay, not applied, until somebody applies or deletes them.')
    .option('--auto-approve', 'without asking')
  addPlanFlags(command).addHelpText(
    'after',
    `
Examples:
  hykube destroy -l team=web
  hykube destroy --target sim_instance.web`,
  )
  return runs<DestroyFlags>(command, host, (invocation) =>
    applyNew(invocation, { spec: { mode: 'Destroy' }, question: 'Do you really want to destroy all of this?' }),
  )
}
