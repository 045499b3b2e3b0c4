import { type Command, CommanderError } from 'commander'
import { type CommandEntry, catalogue, exitCodeOf, type Host, processHost, UsageError } from '../command/index.ts'
import { createProgram } from './create-program.ts'

/** Exit codes, which scripts rely on. */
const exitCodes = { done: 0, failed: 1, usage: 64 } as const

/** Runs the program and returns its exit code. `further` are commands of other rooms. */
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
    await program.parseAsync(withDoubleDashes(args, program), { from: 'user' })
    return Math.max(...allOf(program).map(exitCodeOf))
  } catch (error) {
    return await failed(error, terminal)
  }
}

// Not in the catalogue, because the printed scripts call the program.
function completionEntry(): CommandEntry {
  return {
    name: 'completion',
    group: 'Operate',
    summary: 'Print the completion script for bash, zsh or fish',
    completes: ['bash', 'zsh', 'fish'],
    load: async () => {
      const { completionCommand } = await import('./completion.ts')
      return (host) => completionCommand(host)
    },
  }
}

// Terraform's flags have one dash: -out, -auto-approve. Where the command has such a flag, it is accepted.
function withDoubleDashes(args: readonly string[], program: Command): string[] {
  const known = new Set(allOf(program).flatMap(({ options }) => options.map(({ long }) => long)))
  const end = args.includes('--') ? args.indexOf('--') : args.length
  return args.map((arg, index) =>
    index < end && /^-[a-z]{2}/.test(arg) && known.has(`-${arg.split('=')[0]}`) ? `-${arg}` : arg,
  )
}

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)]
}

async function failed(error: unknown, terminal: { err(text: string): void }): Promise<number> {
  if (error instanceof CommanderError) {
    // --help and --version also end by an error, with exit code 0.
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  }
  const { failureText } = await import('./failure-text.ts')
  terminal.err(failureText(error))
  return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
}
