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
      'Start a server in a temporary directory, create a small company in a simulated cloud, change it by hand and repair it.',
    )
    .option('--keep', 'keep the server running afterwards')
    .option('--latency <ms>', 'latency of the simulated cloud', '120')
    .addHelpText('after', '\nExamples:\n  hykube demo\n  hykube demo --keep')
  return runs<DemoFlags>(command, host, async ({ flags, terminal }) => {
    await demo(terminal, { keep: flags.keep === true, latency: Number(flags.latency) || 0 })
    return undefined
  })
}
