import type { PlanChange, PlanDiagnostic } from '@hykube/machinery/plan-api'

/**
 * Shows a warning about a whole type, such as its deprecation, with the first change of a plan that carries it. Providers
 * repeat it for every object of the type. A warning about a type names no field.
 */
export class TypeWarnings {
  readonly #shown = new Set<string>()

  /** The change without the warnings that an earlier one showed. */
  onlyNew(change: PlanChange): PlanChange {
    const { diagnostics } = change
    if (diagnostics === undefined) return change
    return { ...change, diagnostics: diagnostics.filter((each) => this.#isNew(change.type, each)) }
  }

  #isNew(type: string, { severity, summary, detail = '', field = '' }: PlanDiagnostic): boolean {
    if (severity !== 'warning' || field !== '') return true
    const key = JSON.stringify([type, summary, detail])
    if (this.#shown.has(key)) return false
    if (this.#shown.size < maxShown) this.#shown.add(key)
    return true
  }
}

// A provider may write another text for every object; a plan of a million of them must not be held in memory.
const maxShown = 10_000
