import { dynamicToJson, ProviderFailure, type Value } from '@hykube/provider-sdk/provider'
import { type Answer, parseAnswer } from './answer.ts'
import type { Machine, Outcome } from './machine.ts'
import { redact } from './redact.ts'

/** Configuration of the provider for all commands. */
export interface Defaults {
  readonly environment: Readonly<Record<string, string>>
  readonly sensitive: Readonly<Record<string, string>>
  readonly directory: string | null
  readonly interpreter: readonly string[]
  /** In seconds. */
  readonly timeout: number
  /** Secrets beside the sensitive variables. */
  readonly secrets: readonly string[]
}

/** Execution options of an object's commands, which override the provider's. */
export interface ExecutionOptions {
  readonly environment: Readonly<Record<string, string>> | null
  readonly sensitive_environment: Readonly<Record<string, string>> | null
  readonly working_directory: string | null
  readonly interpreter: readonly string[] | null
  readonly timeout: number | null
}

/** A command to run for an object. */
export interface Call {
  /** Operation: part of the input, and the attribute named in errors. */
  readonly operation: 'create' | 'read' | 'update' | 'delete'
  readonly words: readonly string[]
  readonly execution: ExecutionOptions
  /** Input of the command as JSON, beside the operation. */
  readonly request: Readonly<Record<string, Value | undefined>>
  /** Sensitive values in the input. */
  readonly secrets?: readonly Value[]
  readonly signal: AbortSignal
}

/** A failed command, with the output about its object if there is any. */
export class CommandFailure extends ProviderFailure {
  readonly answer: Answer | undefined

  constructor(summary: string, options: { detail: string; place: readonly string[] }, answer?: Answer) {
    super(summary, options)
    this.answer = answer
  }
}

/** Runs commands on a machine with JSON input and output. */
export class Scripts {
  readonly #machine: Machine
  readonly #defaults: Defaults

  constructor(machine: Machine, defaults: Defaults) {
    this.#machine = machine
    this.#defaults = defaults
  }

  /** Returns null when the command reports that the object no longer exists. Throws CommandFailure when it failed. */
  async call(call: Call): Promise<Answer | null> {
    const { operation, execution, signal } = call
    const { environment, sensitive, directory, interpreter, timeout } = this.#defaults
    const words = [...(execution.interpreter ?? interpreter), ...call.words] as [string, ...string[]]
    const outcome = await this.#machine.run({
      words,
      directory: execution.working_directory ?? directory,
      environment: { ...environment, ...sensitive, ...execution.environment, ...execution.sensitive_environment },
      input: `${inputText(call)}\n`,
      timeout: (execution.timeout ?? timeout) * 1000,
      signal,
    })
    if (outcome.kind === 'exited' && outcome.code === 0) return parseAnswer(outcome.output, operation)
    throw this.#failure(call, words[0], outcome)
  }

  #failure(call: Call, program: string, outcome: Outcome): CommandFailure {
    const { operation } = call
    const text = `${JSON.stringify(program)} on ${this.#machine.name}: ${endOf(outcome)}.${stderrOf(outcome)}`
    const answer = outcome.kind === 'not-started' ? undefined : readable(outcome.output, operation)
    const options = { detail: redact(text, this.#secretsOf(call)), place: [operation] }
    return new CommandFailure(`The ${operation} command failed`, options, answer)
  }

  *#secretsOf({ execution, secrets = [] }: Call): Generator<string> {
    yield* Object.values(this.#defaults.sensitive)
    yield* this.#defaults.secrets
    yield* Object.values(execution.sensitive_environment ?? {})
    for (const secret of secrets) yield* stringsIn(JSON.parse(dynamicToJson(secret)))
  }
}

function inputText({ operation, request }: Call): string {
  const fields = Object.entries(request).flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${dynamicToJson(value)}`],
  )
  return `{${[`"operation":"${operation}"`, ...fields].join(',')}}`
}

function endOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'not-started':
      return `it could not be started: ${outcome.why}`
    case 'killed':
      return `it was terminated: ${outcome.why}`
    case 'lost':
      return `${outcome.why}, and it may still run there. Check before you apply again`
    case 'exited':
      return `it failed with exit code ${outcome.code}`
  }
}

function stderrOf(outcome: Outcome): string {
  if (outcome.kind === 'not-started') return ''
  const stderr = outcome.stderr.trim()
  return stderr === '' ? ' It wrote nothing to its standard error.' : ` Standard error:\n${stderr}`
}

function readable(output: string, operation: string): Answer | undefined {
  try {
    return parseAnswer(output, operation) ?? undefined
  } catch {
    return undefined
  }
}

function* stringsIn(part: unknown): Generator<string> {
  if (typeof part === 'string') yield part
  if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) yield* stringsIn(inner)
}
