import { Command } from 'commander'
import type { Host } from '../host/host.ts'
import { runs } from '../host/invocation.ts'
import { type ApplyFlags, addApplyFlags, applyNew } from './apply.ts'
import { addPlanFlags, addRefreshFlags } from './plan-flags.ts'

/** `hykube destroy` */
export function destroyCommand(host: Host): Command {
  const command = new Command('destroy').description(
    'Destroy the real resources. The objects are kept, and can be applied again or deleted.',
  )
  addRefreshFlags(addPlanFlags(addApplyFlags(command))).addHelpText(
    'after',
    `
Examples:
  hykube destroy -l team=web
  hykube destroy --target sim_instance.web`,
  )
  return runs<ApplyFlags>(command, host, (invocation) =>
    applyNew(invocation, { spec: { mode: 'Destroy' }, question: 'Do you really want to destroy these resources?' }),
  )
}
