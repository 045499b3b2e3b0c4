import { Command } from 'commander'

export type { Command } from 'commander'

/** A command, for rooms that have commands of their own. */
export function newCommand(name: string): Command {
  return new Command(name)
}
