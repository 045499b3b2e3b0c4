import type { Command } from 'commander'
import type { GlobalFlags } from './flags.ts'
import type { Connection, Host } from './host.ts'
import type { Terminal } from './terminal.ts'

/** One call of a command: its flags, its terminal, and the server once the command asks for it. */
export interface Invocation<F = object> {
  readonly flags: GlobalFlags & F
  readonly args: readonly string[]
  readonly terminal: Terminal
  connect(): Promise<Connection>
}

/** The work of a command. It returns the exit code; undefined is 0. */
export type Run<F> = (invocation: Invocation<F>) => Promise<number | undefined>

/** Sets the work of a command. The program reads the exit code with {@link exitCodeOf}. */
export function runs<F = object>(command: Command, host: Host, run: Run<F>): Command {
  return command.action(async () => {
    const flags = command.optsWithGlobals() as GlobalFlags & F
    const terminal = host.terminal(flags)
    let connection: Promise<Connection> | undefined
    const connect = () => {
      connection ??= host.connect(flags, terminal)
      return connection
    }
    try {
      exitCodes.set(command, (await run({ flags, args: command.args, terminal, connect })) ?? 0)
    } finally {
      await connection?.then(
        (each) => each.close(),
        () => {},
      )
    }
  })
}

/** The exit code of a command that ran; 0 for others. */
export function exitCodeOf(command: Command): number {
  return exitCodes.get(command) ?? 0
}

const exitCodes = new WeakMap<Command, number>()
