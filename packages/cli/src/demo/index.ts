/** A small company in a minute. */
import type { CommandEntry } from '../command/index.ts'

/** `hykube demo`, for the program to take up. */
export const demoEntry: CommandEntry = {
  name: 'demo',
  group: 'Server',
  summary: 'see it all in a minute: a small company, made, broken and mended',
  load: async () => (await import('./demo-command.ts')).demoCommand,
}
