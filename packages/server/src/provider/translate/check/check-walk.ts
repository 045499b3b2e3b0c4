import { similarName } from '@hykube/machinery/base'
import { JsonNumber, type JsonValue } from '@hykube/machinery/json'
import { duplicateValue, forbiddenValue, invalidType, invalidValue, requiredValue } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import type { Field } from '../structure.ts'
import type { TemplateSyntax } from './template-syntax.ts'

/** The result of checking a spec. */
export interface Findings {
  /** Errors, including unknown fields. */
  readonly causes: readonly StatusCause[]
  /** The paths of fields that are not in the schema. */
  readonly unknownFields: readonly string[]
  /** Suggestions for unknown fields, by path. */
  readonly hints: ReadonlyMap<string, string>
  readonly warnings: readonly string[]
}

/** The state of a walk over a spec: the current path and the findings. The path is formatted only for a finding. */
export class CheckWalk implements Findings {
  readonly templates: TemplateSyntax
  readonly causes: StatusCause[] = []
  readonly unknownFields: string[] = []
  readonly hints = new Map<string, string>()
  readonly warnings: string[] = []
  readonly #warned = new Set<Field>()
  readonly #deprecated = new Set<Field>()
  readonly #path: Step[] = []
  #references = 0
  #secrecy: Secrecy = 'open'
  /** The sensitive or write-only field that encloses the current path. */
  #secret: Field | undefined

  constructor(templates: TemplateSyntax) {
    this.templates = templates
  }

  /** The current path: `spec.rules[0].days`, `spec.tags[a/b]`. */
  get path(): string {
    let text = ''
    for (const step of this.#path) {
      if (typeof step === 'object') text += `[${step.key}]`
      else if (typeof step === 'number') text += `[${step}]`
      else text += text === '' ? step : `.${step}`
    }
    return text
  }

  /** Runs a check with the path extended by one step. */
  inside(step: Step, look: () => void): void {
    this.#path.push(step)
    look()
    this.#path.pop()
  }

  /** Runs a check inside a field. Sensitivity applies to everything below it; the strictest enclosing field decides. */
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

  /** Records a literal value: an error for a write-only attribute, a warning for a sensitive one. */
  literal(): void {
    if (this.#secrecy === 'write-only') this.forbid(writeOnlyLiteral)
    // Once for each attribute of the schema, not for each item of a list.
    if (this.#secrecy !== 'sensitive' || this.#warned.has(this.#secret!)) return
    this.#warned.add(this.#secret!)
    this.warnings.push(`${this.path} is sensitive, and this object stores it in plain text; ${useSecret}`)
  }

  /** Records a syntax error of the expressions in a string. */
  template(text: string): void {
    if (this.templates.holdsExpression(text) && !this.countReferences(text.split('${').length - 1)) return
    const problem = this.templates.problem(text)
    if (problem !== undefined) this.invalid(text, problem)
  }

  /** Counts expressions and addresses. Returns false, and records it once, when the object has too many to look at them. */
  countReferences(count: number): boolean {
    const before = this.#references
    this.#references += count
    if (this.#references <= mostReferences) return true
    if (before <= mostReferences) this.forbid(`the object has more than ${mostReferences} expressions and addresses`)
    return false
  }

  /** Records an invalid value. Sensitive values are not shown. */
  invalid(value: JsonValue, detail: string): void {
    this.causes.push(invalidValue(this.path, this.#shown(value), detail))
  }

  /** Records the second occurrence of a value in a set. */
  duplicate(value: JsonValue): void {
    this.causes.push(duplicateValue(this.path, this.#shown(value)))
  }

  /** Records a value of the wrong type, in the words of kube-apiserver's schema validation. */
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

  /** Records a field that is not in the schema, with a suggestion if a known name is similar. */
  unknown(name: string, known: Iterable<string>): void {
    const { path } = this
    const meant = similarName(name, known)
    this.unknownFields.push(path)
    if (meant !== undefined) this.hints.set(path, `did you mean ${JSON.stringify(meant)}?`)
    // The value is not shown: it may be a secret under a misspelled name.
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

/** A field, an index of a list, or a key of a map. */
export type Step = string | number | { readonly key: string }

// Reading one takes about 50 µs, and the references of a write are looked at in one turn of the event loop.
const mostReferences = 3000

const secrecies = { open: 0, sensitive: 1, 'write-only': 2 } as const
type Secrecy = keyof typeof secrecies

const useSecret = 'use a Secret, such as ${secret["name"].key}'
const writeOnlyLiteral = `a write-only attribute must not have a literal value; ${useSecret}`

function typeName(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? 'integer' : 'number'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}
