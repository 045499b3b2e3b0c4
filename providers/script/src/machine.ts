/** A command as it is carried out. */
export interface Command {
  /** The program and its arguments; no shell reads them. */
  readonly words: readonly [string, ...string[]]
  readonly directory: string | null
  /** Set besides the few variables that every command gets. */
  readonly environment: Readonly<Record<string, string>>
  /** What it reads from its standard input. */
  readonly input: string
  /** How long it may take, in milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal
}

/** How a command ended. What it wrote is bounded: see `run-process.ts`. */
export type Outcome =
  | { readonly kind: 'exited'; readonly code: number; readonly output: string; readonly complaints: string }
  | { readonly kind: 'killed'; readonly why: string; readonly output: string; readonly complaints: string }
  /** The machine is not heard of any more: nobody knows whether the command goes on. */
  | { readonly kind: 'lost'; readonly why: string; readonly output: string; readonly complaints: string }
  | { readonly kind: 'not-started'; readonly why: string }

/** Where commands are carried out: this machine or another. */
export interface Machine {
  /** For people: `this machine`, `root@db1`. */
  readonly name: string
  run(command: Command): Promise<Outcome>
}
