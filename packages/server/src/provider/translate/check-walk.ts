import { JsonNumber, type JsonValue } from '@hykube/machinery/json'
import { duplicateValue, forbiddenValue, invalidType, invalidValue, requiredValue } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import type { Field } from './structure.ts'
import { suggestName } from './suggestion.ts'
import type { TemplateSyntax } from './template-syntax.ts'

/** What a look at a spec found. */
export interface Findings {
  /** What is wrong, unknown fields too. */
  readonly causes: readonly StatusCause[]
  /** The paths of fields that are not in the schema. */
  readonly unknownFields: readonly string[]
  /** What may have been meant by those, by path. */
  readonly hints: ReadonlyMap<string, string>
  readonly warnings: readonly string[]
}

/** A walk over a spec: where it is, and what it found so far. The path is written out only when there is something to say. */
export class CheckWalk implements Findings {
  readonly templates: TemplateSyntax
  readonly causes: StatusCause[] = []
  readonly unknownFields: string[] = []
  readonly hints = new Map<string, string>()
  readonly warnings: string[] = []
  readonly #warned = new Set<Field>()
  readonly #deprecated = new Set<Field>()
  readonly #path: Step[] = []
  #secrecy: Secrecy = 'open'
  /** The field that made what is inside it secret. */
  #secret: Field | undefined

  constructor(templates: TemplateSyntax) {
    this.templates = templates
  }

  /** Where the walk is: `spec.rules[0].days`, `spec.tags[a/b]`. */
  get path(): string {
    let text = ''
    for (const step of this.#path) {
      if (typeof step === 'object') text += `[${step.key}]`
      else if (typeof step === 'number') text += `[${step}]`
      else text += text === '' ? step : `.${step}`
    }
    return text
  }

  /** Goes a step in, and comes back. */
  inside(step: Step, look: () => void): void {
    this.#path.push(step)
    look()
    this.#path.pop()
  }

  /** Goes into a field, with what holds for all that is inside it. */
  insideField(field: Field, look: () => void): void {
    const [secrecy, secret] = [this.#secrecy, this.#secret]
    const own = field.writeOnly ? 'write-only' : field.sensitive ? 'sensitive' : 'open'
    if (secrecies[own] > secrecies[secrecy]) [this.#secrecy, this.#secret] = [own, field]
    this.inside(field.name, () => {
      this.#warnOfDeprecation(field)
      look()
    })
    this.#secrecy = secrecy
    this.#secret = secret
  }

  /** Notes that a value is written out here, which not every attribute takes. */
  literal(): void {
    if (this.#secrecy === 'write-only') this.forbid(writtenOut)
    // Once for each attribute of the schema, not for each item of a list.
    if (this.#secrecy !== 'sensitive' || this.#warned.has(this.#secret!)) return
    this.#warned.add(this.#secret!)
    this.warnings.push(`${this.path} is sensitive, and is stored here as it was written; ${useSecret}`)
  }

  /** Notes what is wrong with the expressions in a text, if anything is. */
  template(text: string): void {
    const problem = this.templates.problem(text)
    if (problem !== undefined) this.invalid(text, problem)
  }

  /** Notes a value that is malformed. What may be secret is not shown. */
  invalid(value: JsonValue, detail: string): void {
    this.causes.push(invalidValue(this.path, this.#shown(value), detail))
  }

  /** Notes a value that may come once and comes again. */
  duplicate(value: JsonValue): void {
    this.causes.push(duplicateValue(this.path, this.#shown(value)))
  }

  /** Notes a value of the wrong type, in the words that clients know. */
  wrongType(value: JsonValue, wanted: string): void {
    const actual = typeName(value)
    const { path } = this
    this.causes.push(invalidType(path, actual, `${path} in body must be of type ${wanted}: "${actual}"`))
  }

  forbid(detail: string): void {
    this.causes.push(forbiddenValue(this.path, detail))
  }

  require(): void {
    this.causes.push(requiredValue(this.path))
  }

  /** Notes a field that nobody knows, and what may have been meant by it. */
  unknown(name: string, known: Iterable<string>): void {
    const { path } = this
    const meant = suggestName(name, known)
    this.unknownFields.push(path)
    if (meant !== undefined) this.hints.set(path, `did you mean ${JSON.stringify(meant)}?`)
    // The value stays out of it: it may be a secret whose name was mistyped.
    this.forbid(`unknown field${meant === undefined ? '' : `, did you mean ${JSON.stringify(meant)}?`}`)
  }

  add(cause: StatusCause): void {
    this.causes.push(cause)
  }

  #shown(value: JsonValue): JsonValue {
    return this.#secrecy === 'open' ? value : '***'
  }

  #warnOfDeprecation(field: Field): void {
    const { deprecation } = field
    if (deprecation === undefined || this.#deprecated.has(field)) return
    this.#deprecated.add(field)
    this.warnings.push(`${this.path} is deprecated${deprecation === '' ? '' : `: ${deprecation}`}`)
  }
}

/** A field, a position in a list, or a key that the user chose. */
export type Step = string | number | { readonly key: string }

const secrecies = { open: 0, sensitive: 1, 'write-only': 2 } as const
type Secrecy = keyof typeof secrecies

const useSecret = 'use a Secret, as ${secret["name"].key}'
const writtenOut = `a value that is never kept can't be written here as it is; ${useSecret}`

function typeName(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? 'integer' : 'number'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}
