import { type Command, type Host, newCommand, runs } from '../command/index.ts'
import { demo } from './demo.ts'

interface DemoFlags {
  readonly keep?: boolean
  readonly latency: string
}

/** `hykube demo` */
export function demoCommand(host: Host): Command {
  const command = newCommand('demo')
    .description(
      'Start a server in a temporary directory, make a small company in a simulated cloud, break it, mend it.',
    )
    .option('--keep', 'leave the server running, to go on with kubectl')
    .option('--latency <ms>', 'how slow the simulated cloud is', '120')
    .addHelpText('after', '\nExamples:\n  hykube demo\n  hykube demo --keep')
  return runs<DemoFlags>(command, host, async ({ flags, terminal }) => {
    await demo(terminal, { keep: flags.keep === true, latency: Number(flags.latency) || 0 })
    return undefined
  })
}
