import type { Inputs, ReferenceTarget } from '../evaluation/index.ts'
import type { InstanceKey } from '../model/index.ts'

/** The result of resolving the references of an object. */
export interface FoundInputs {
  readonly inputs: Inputs
  /** The inputs of its provider configuration; undefined when that has no references. */
  readonly configured: Inputs | undefined
  readonly targets: readonly ReferenceTarget[]
  /** True for an instance whose replace_triggered_by names a change of this plan; absent when there is none. */
  readonly triggered?: (instance: InstanceKey) => boolean
  /** An input has its planned value, which isn't applied yet and may never be. */
  readonly inputPending: boolean
  /** A dependency that isn't an input changes, such as one in depends_on. */
  readonly dependencyPending: boolean
}
