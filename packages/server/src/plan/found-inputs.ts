import type { Inputs } from './inputs.ts'
import type { ReferenceTarget } from './references.ts'

/** What following the references of an object found. */
export interface FoundInputs {
  readonly inputs: Inputs
  /** What the configuration of its provider refers to; undefined when that refers to nothing. */
  readonly configured: Inputs | undefined
  readonly targets: readonly ReferenceTarget[]
  /** A reference that changes along is in `replace_triggered_by`. */
  readonly triggered: boolean
  /** Something that it only waits for changes. */
  readonly dependencyPending: boolean
}
