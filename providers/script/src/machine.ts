/** A command to run. */
export interface Command {
  /** Program and arguments, without a shell. */
  readonly words: readonly [string, ...string[]]
  readonly directory: string | null
  /** Set in addition to the basic variables of every command. */
  readonly environment: Readonly<Record<string, string>>
  /** Standard input. */
  readonly input: string
  /** In milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal
}

/** Result of a command. Its output is bounded: see `run-process.ts`. */
export type Outcome =
  | { readonly kind: 'exited'; readonly code: number; readonly output: string; readonly stderr: string }
  | { readonly kind: 'killed'; readonly why: string; readonly output: string; readonly stderr: string }
  /** The connection was lost: it is unknown whether the command still runs. */
  | { readonly kind: 'lost'; readonly why: string; readonly output: string; readonly stderr: string }
  | { readonly kind: 'not-started'; readonly why: string }

/** Runs commands on this machine or another. */
export interface Machine {
  /** For messages: `this machine`, `root@db1`. */
  readonly name: string
  run(command: Command): Promise<Outcome>
}
