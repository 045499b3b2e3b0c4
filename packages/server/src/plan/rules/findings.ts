import { hasErrors } from '@hykube/machinery/status'
import type { ProviderDiagnostic } from '@hykube/tfplugin/protocol'
import { type Path, pathToText, type Value } from '@hykube/tfplugin/value'
import type { ResourceInstance } from './instance.ts'
import type { Problem } from './problem.ts'
import { scrub, scrubText, sensitiveStrings } from './scrub.ts'

/** What came to light about one instance: diagnostics for its user, and lines for the log of whoever looks after providers. */
export interface Findings {
  readonly diagnostics: readonly ProviderDiagnostic[]
  readonly notes: readonly string[]
}

/** Something that could not be done, with the errors that say why. */
export interface Failure extends Findings {
  readonly kind: 'failed'
}

/** Values with sensitive parts, by the schema and at these places. */
export type Confidential = readonly (readonly [value: Value | undefined, sensitive: readonly Path[]])[]

/**
 * Collects the findings about one instance. Nothing is kept while there are none, and nothing gets out with a sensitive
 * text of the values in it, which are asked for only when there is something to tell.
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

  /** What the provider itself said. */
  add(diagnostics: readonly ProviderDiagnostic[]): void {
    if (diagnostics.length === 0) return
    const { address } = this.#instance
    this.#diagnostics ??= []
    for (const diagnostic of diagnostics) this.#diagnostics.push({ address, ...diagnostic })
  }

  error(summary: string, detail: string, attribute: Path = []): void {
    const place = attribute.length === 0 ? {} : { attribute, path: pathToText(attribute) }
    this.#diagnostics ??= []
    this.#diagnostics.push({ severity: 'error', summary, detail, address: this.#instance.address, ...place })
  }

  /** A mistake of the provider, with what it did. */
  bug(summary: string, what: string, attribute: Path = []): void {
    const { provider } = this.#instance
    const detail = `Provider ${provider} ${what}. This is a bug in the provider, to be reported to its authors.`
    this.error(summary, detail, attribute)
  }

  /** Several mistakes in one value; of a provider with an old type system they are only noted. */
  bugs(summary: string, what: string, problems: readonly Problem[], tolerated: boolean): void {
    if (tolerated && problems.length > 0) {
      const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
      this.note(`${summary}, tolerated of its old type system: ${what}: ${problemText(problems[0]!)}${more}`)
    } else for (const problem of problems) this.bug(summary, `${what}: ${problemText(problem)}`, problem.path)
  }

  /** What an earlier step found. */
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

/** A problem with its place, in one line. */
function problemText({ path, text }: Problem): string {
  return path.length === 0 ? text : `${pathToText(path)}: ${text}`
}

const none: readonly ProviderDiagnostic[] = []
const noNotes: readonly string[] = []
const nothing: Findings = { diagnostics: none, notes: noNotes }
