import type { Inputs } from './inputs.ts'
import type { ReferenceTarget } from './references.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'

/** What following the references of an object found. */
export interface FoundInputs {
  readonly inputs: Inputs
  /** What the configuration of its provider refers to; undefined when that refers to nothing. */
  readonly configured: Inputs | undefined
  readonly targets: readonly ReferenceTarget[]
  /** Whether something changes along that an instance is to be replaced with; absent when nothing does. */
  readonly triggered?: (instance: InstanceKey) => boolean
  /** Something that it uses is not yet what it is planned with: the plan may never be applied. */
  readonly inputPending: boolean
  /** Something that it only waits for changes. */
  readonly dependencyPending: boolean
}
