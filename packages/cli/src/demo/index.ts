/** The command `hykube demo`. */
import type { CommandEntry } from '../command/index.ts'

export { company } from './company.ts'

export const demoEntry: CommandEntry = {
  name: 'demo',
  group: 'Server',
  summary: 'Show plan, apply and drift in a simulated cloud, in a minute',
  load: async () => (await import('./demo-command.ts')).demoCommand,
}
