import { type Command, CommanderError } from 'commander'
import { type CommandEntry, catalogue, exitCodeOf, type Host, processHost, UsageError } from '../command/index.ts'
import { createProgram } from './create-program.ts'

/** How the program ends: what scripts compare. */
const exitCodes = { done: 0, failed: 1, usage: 64 } as const

/** Runs the program with these arguments and tells how it ended. `further` are commands from outside of this room. */
export async function run(
  args: readonly string[],
  { host = processHost, further = [] }: { readonly host?: Host; readonly further?: readonly CommandEntry[] } = {},
): Promise<number> {
  const entries = [...catalogue, ...further, completionEntry()]
  if (args[0] === '__complete') {
    const { complete } = await import('./complete.ts')
    return complete(args.slice(1), { entries, host })
  }
  const terminal = host.terminal({})
  const program = await createProgram(args, entries, host)
  program.configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) })
  for (const command of allOf(program)) command.copyInheritedSettings(program).exitOverride()
  try {
    await program.parseAsync(args, { from: 'user' })
    return Math.max(...allOf(program).map(exitCodeOf))
  } catch (error) {
    return await failed(error, terminal)
  }
}

// It belongs to the program, because what it prints calls the program again.
function completionEntry(): CommandEntry {
  return {
    name: 'completion',
    group: 'Operate',
    summary: 'print a script that completes commands in bash, zsh or fish',
    completes: ['bash', 'zsh', 'fish'],
    load: async () => {
      const { completionCommand } = await import('./completion.ts')
      return (host) => completionCommand(host)
    },
  }
}

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)]
}

async function failed(error: unknown, terminal: { err(text: string): void }): Promise<number> {
  if (error instanceof CommanderError) {
    // Asking for help is no mistake; a command that is missing is.
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  }
  const { failureText } = await import('./failure-text.ts')
  terminal.err(failureText(error))
  return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
}
