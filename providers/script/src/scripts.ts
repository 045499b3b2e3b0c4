import { dynamicToJson, ProviderFailure, type Value } from '@hykube/provider-sdk/provider'
import { type Answer, parseAnswer } from './answer.ts'
import type { Machine, Outcome } from './machine.ts'
import { redact } from './redact.ts'

/** What a provider's configuration says for all of its commands. */
export interface Defaults {
  readonly environment: Readonly<Record<string, string>>
  readonly sensitive: Readonly<Record<string, string>>
  readonly directory: string | null
  readonly interpreter: readonly string[]
  /** In seconds. */
  readonly timeout: number
  /** What must not be shown besides the sensitive variables. */
  readonly secrets: readonly string[]
}

/** How an object's commands are run, besides what the provider says. */
export interface Manner {
  readonly environment: Readonly<Record<string, string>> | null
  readonly sensitive_environment: Readonly<Record<string, string>> | null
  readonly working_directory: string | null
  readonly interpreter: readonly string[] | null
  readonly timeout: number | null
}

/** A command that is to be run for an object. */
export interface Call {
  /** Which one: it is told to the command, and names the attribute in failures. */
  readonly operation: 'create' | 'read' | 'update' | 'delete'
  readonly words: readonly string[]
  readonly manner: Manner
  /** What the command is told as JSON, besides the operation. */
  readonly told: Readonly<Record<string, Value | undefined>>
  /** Values among those that must not be shown. */
  readonly secrets?: readonly Value[]
  readonly signal: AbortSignal
}

/** A command that did not do what it should, with what it said of its object in spite of that. */
export class CommandFailure extends ProviderFailure {
  readonly answer: Answer | undefined

  constructor(summary: string, options: { detail: string; place: readonly string[] }, answer?: Answer) {
    super(summary, options)
    this.answer = answer
  }
}

/** Runs commands on a machine, speaking JSON with them. */
export class Scripts {
  readonly #machine: Machine
  readonly #defaults: Defaults

  constructor(machine: Machine, defaults: Defaults) {
    this.#machine = machine
    this.#defaults = defaults
  }

  /** Null when the command says that the object is gone. Throws a CommandFailure when it failed. */
  async call(call: Call): Promise<Answer | null> {
    const { operation, manner, signal } = call
    const { environment, sensitive, directory, interpreter, timeout } = this.#defaults
    const words = [...(manner.interpreter ?? interpreter), ...call.words] as [string, ...string[]]
    const outcome = await this.#machine.run({
      words,
      directory: manner.working_directory ?? directory,
      environment: { ...environment, ...sensitive, ...manner.environment, ...manner.sensitive_environment },
      input: `${toldText(call)}\n`,
      timeout: (manner.timeout ?? timeout) * 1000,
      signal,
    })
    if (outcome.kind === 'exited' && outcome.code === 0) return parseAnswer(outcome.output, operation)
    throw this.#failure(call, words[0], outcome)
  }

  #failure(call: Call, program: string, outcome: Outcome): CommandFailure {
    const { operation } = call
    const text = `${JSON.stringify(program)} on ${this.#machine.name}: ${endOf(outcome)}.${complaintsOf(outcome)}`
    const answer = outcome.kind === 'not-started' ? undefined : readable(outcome.output, operation)
    const options = { detail: redact(text, this.#secretsOf(call)), place: [operation] }
    return new CommandFailure(`The ${operation} command failed`, options, answer)
  }

  *#secretsOf({ manner, secrets = [] }: Call): Generator<string> {
    yield* Object.values(this.#defaults.sensitive)
    yield* this.#defaults.secrets
    yield* Object.values(manner.sensitive_environment ?? {})
    for (const secret of secrets) yield* stringsIn(JSON.parse(dynamicToJson(secret)))
  }
}

function toldText({ operation, told }: Call): string {
  const fields = Object.entries(told).flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${dynamicToJson(value)}`],
  )
  return `{${[`"operation":"${operation}"`, ...fields].join(',')}}`
}

function endOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'not-started':
      return `it could not be started: ${outcome.why}`
    case 'killed':
      return `it was ended: ${outcome.why}`
    case 'lost':
      return `${outcome.why}, and it may go on there. Look before you apply again`
    case 'exited':
      return `it ended with exit code ${outcome.code}`
  }
}

function complaintsOf(outcome: Outcome): string {
  if (outcome.kind === 'not-started') return ''
  const complaints = outcome.complaints.trim()
  return complaints === '' ? ' It wrote nothing to its standard error.' : ` It complained:\n${complaints}`
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
