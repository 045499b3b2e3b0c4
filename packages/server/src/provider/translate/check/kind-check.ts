import { isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import type { KindMode } from '../kind-names.ts'
import type { ObjectStructure } from '../structure.ts'
import { checkFields } from './check-value.ts'
import { CheckWalk, type Findings } from './check-walk.ts'
import { checkReserved, reservedNames } from './reserved-fields.ts'
import type { TemplateSyntax } from './template-syntax.ts'

/** Checks the specs of one kind. Findings are cached by spec, because several steps of one write need them. */
export class KindCheck {
  readonly #structure: () => ObjectStructure
  readonly #mode: KindMode
  readonly #templates: TemplateSyntax
  readonly #known = new WeakMap<JsonObject, Findings>()

  constructor(mode: KindMode, structure: () => ObjectStructure, templates: TemplateSyntax) {
    this.#mode = mode
    this.#structure = structure
    this.#templates = templates
  }

  /** Checks a spec, which may be absent or of any JSON type. */
  inspect(spec: JsonValue | undefined): Findings {
    if (!isJsonObject(spec)) return this.#walk(spec)
    let findings = this.#known.get(spec)
    if (findings === undefined) {
      findings = this.#walk(spec)
      this.#known.set(spec, findings)
    }
    return findings
  }

  #walk(spec: JsonValue | undefined): Findings {
    const walk = new CheckWalk(this.#templates)
    const given = spec ?? {}
    walk.inside('spec', () => {
      if (isJsonObject(given)) this.#checkSpec(given, walk)
      else walk.wrongType(given, 'object')
    })
    return walk
  }

  #checkSpec(spec: JsonObject, walk: CheckWalk): void {
    const structure = this.#structure()
    checkFields(structure, spec, walk, reservedNames(this.#mode))
    checkReserved(spec, this.#mode, structure, walk)
  }
}
