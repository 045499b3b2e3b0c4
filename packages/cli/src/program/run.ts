import { Command, CommanderError } from 'commander'
import { serveCommand, versionCommand } from '../command/index.ts'

/** How the program ends: what scripts compare. */
const exitCodes = { done: 0, failed: 1, usage: 64 } as const

/** Runs the program with these arguments and tells how it ended. */
export async function run(args: readonly string[]): Promise<number> {
  const program = new Command('hykube')
    .description('a Kubernetes control plane for infrastructure: write, plan, apply')
    .showSuggestionAfterError()
    .helpCommand(true)
    .exitOverride()
  program.addCommand(serveCommand()).addCommand(versionCommand())
  // Errors of subcommands come back here instead of ending the process in the middle of something.
  for (const command of program.commands) command.exitOverride()
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.done
  } catch (error) {
    return failed(error)
  }
}

function failed(error: unknown): number {
  if (error instanceof CommanderError) {
    // Asking for help is no mistake; a command that is missing is.
    if (error.exitCode === 0) return exitCodes.done
    return exitCodes.usage
  }
  process.stderr.write(`hykube: ${error instanceof Error ? error.message : String(error)}\n`)
  return exitCodes.failed
}
