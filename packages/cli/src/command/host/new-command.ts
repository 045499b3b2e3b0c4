import { Command } from 'commander'

export type { Command } from 'commander'

/** Creates a command, for rooms that must not import commander. */
export function newCommand(name: string): Command {
  return new Command(name)
}
