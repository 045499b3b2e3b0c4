import type { Command } from 'commander'
import { UsageError } from './failure.ts'
import type { GlobalFlags } from './global-flags.ts'
import type { Connection, Host } from './host.ts'
import type { Terminal } from './terminal.ts'

/** One call of a command: its flags, where it tells things, and the server when it asks for it. */
export interface Invocation<F = object> {
  readonly flags: GlobalFlags & F
  readonly args: readonly string[]
  readonly terminal: Terminal
  connect(): Promise<Connection>
}

/** What a command does; a number is how the program ends, by default 0. */
export type Run<F> = (invocation: Invocation<F>) => Promise<number | undefined>

/** Lets a command do something. Its exit code is kept on the command, where the program finds it. */
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

/** How a command ended. */
export function exitCodeOf(command: Command): number {
  return exitCodes.get(command) ?? 0
}

/** The format that was asked for, of those that the command knows. */
export function outputFormat<T extends string>({ output }: GlobalFlags, known: readonly T[]): T | undefined {
  if (output === undefined) return undefined
  if ((known as readonly string[]).includes(output)) return output as T
  throw new UsageError(`-o ${output} is not known here; there is ${known.join(', ')}`)
}

const exitCodes = new WeakMap<Command, number>()
