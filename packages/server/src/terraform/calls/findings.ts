import { hasErrors } from '@hykube/machinery/status'
import type { ProviderDiagnostic } from '@hykube/tfplugin/protocol'
import { type Path, pathToText, type Value } from '@hykube/tfplugin/value'
import type { Problem } from '../problem.ts'
import { scrub, scrubText, sensitiveStrings } from '../secrets/scrub.ts'
import type { ResourceInstance } from './instance.ts'

/** Diagnostics for the user of an instance, and notes for the server's log. */
export interface Findings {
  readonly diagnostics: readonly ProviderDiagnostic[]
  readonly notes: readonly string[]
}

/** A failed operation, with the errors that caused it. */
export interface Failure extends Findings {
  readonly kind: 'failed'
}

/** Values with sensitive parts: those that the schema marks, and these paths. */
export type Confidential = readonly (readonly [value: Value | undefined, sensitive: readonly Path[]])[]

/**
 * Collects the findings about one instance. Sensitive strings of the confidential values are redacted from all of them. Nothing is
 * allocated and `confidential` isn't called until there is a finding, because most calls have none.
 */
export class FindingsOf {
  readonly #instance: ResourceInstance
  readonly #confidential: (() => Confidential) | undefined
  #diagnostics: ProviderDiagnostic[] | undefined
  #notes: string[] | undefined

  constructor(instance: ResourceInstance, confidential?: () => Confidential) {
    this.#instance = instance
    this.#confidential = confidential
  }

  get hasErrors(): boolean {
    return this.#diagnostics !== undefined && hasErrors(this.#diagnostics)
  }

  get all(): Findings {
    if (this.#diagnostics === undefined && this.#notes === undefined) return nothing
    const secrets = this.#secrets()
    const notes = this.#notes?.map((note) => scrubText(note, secrets)) ?? noNotes
    return { diagnostics: scrub(this.#diagnostics ?? none, secrets), notes }
  }

  /** Adds diagnostics from the provider. */
  add(diagnostics: readonly ProviderDiagnostic[]): void {
    if (diagnostics.length === 0) return
    const { address } = this.#instance
    this.#diagnostics ??= []
    for (const diagnostic of diagnostics) this.#diagnostics.push({ address, ...diagnostic })
  }

  /** Adds an error of the server's own. */
  error(summary: string, detail: string, attribute: Path = []): void {
    const location = attribute.length === 0 ? {} : { attribute, path: pathToText(attribute) }
    this.#diagnostics ??= []
    this.#diagnostics.push({ severity: 'error', summary, detail, address: this.#instance.address, ...location })
  }

  /** Adds an error that blames the provider; `what` says what the provider did. */
  bug(summary: string, what: string, attribute: Path = []): void {
    const { provider } = this.#instance
    const detail = `Provider ${provider} ${what}. This is a bug in the provider; report it to the provider's authors.`
    this.error(summary, detail, attribute)
  }

  /** Adds one such error per problem. For a provider with the legacy type system they are only noted, as Terraform tolerates them. */
  bugs(summary: string, what: string, problems: readonly Problem[], tolerated: boolean): void {
    if (tolerated && problems.length > 0) {
      const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
      this.note(`${summary}, tolerated because of its legacy type system: ${what}: ${problemText(problems[0]!)}${more}`)
    } else for (const problem of problems) this.bug(summary, `${what}: ${problemText(problem)}`, problem.path)
  }

  /** Adds the findings of an earlier step. */
  take({ diagnostics, notes }: Findings): void {
    this.add(diagnostics)
    if (notes.length > 0) this.#notes = [...(this.#notes ?? []), ...notes]
  }

  note(line: string): void {
    this.#notes ??= []
    this.#notes.push(`${this.#instance.address}: provider ${this.#instance.provider}: ${line}`)
  }

  failure(): Failure {
    return { kind: 'failed', ...this.all }
  }

  #secrets(): readonly string[] {
    const { schema } = this.#instance
    return (this.#confidential?.() ?? []).flatMap(([value, sensitive]) =>
      value === undefined ? [] : sensitiveStrings(schema, value, sensitive),
    )
  }
}

/** Formats a problem with its path in one line. */
function problemText({ path, text }: Problem): string {
  return path.length === 0 ? text : `${pathToText(path)}: ${text}`
}

const none: readonly ProviderDiagnostic[] = []
const noNotes: readonly string[] = []
const nothing: Findings = { diagnostics: none, notes: noNotes }
