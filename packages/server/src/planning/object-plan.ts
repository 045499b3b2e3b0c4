import type { Value } from '@hykube/tfplugin/value'
import type { Inputs, OutputValue, ProviderAccess } from '../evaluation/index.ts'
import type { CompiledConfig, Evaluated } from '../expression/index.ts'
import type {
  InstanceKey,
  InstanceState,
  InstanceStates,
  Lifecycle,
  PlannedBatch,
  ResourceObject,
} from '../model/index.ts'
import type { Importing } from '../terraform/index.ts'
import type { Settlement } from './context.ts'

/** The input of planning that all instances of an object share. */
export interface ObjectPlan {
  readonly object: ResourceObject
  readonly config: CompiledConfig
  readonly access: ProviderAccess
  readonly inputs: Inputs
  readonly lifecycle: Lifecycle
  /** The providers' objects that it refers to, as texts of references. */
  readonly refersTo: readonly string[]
  readonly triggered?: (instance: InstanceKey) => boolean
  readonly dependencyPending: boolean
  /** The number of instances of `count` or `for_each`. */
  readonly size?: number
  /** The settlement of the batch once this plan is applied, if its inputs are known. */
  readonly batch?: PlannedBatch
}

/** An instance to plan, and its states. */
export interface InstanceToPlan {
  readonly instance: InstanceKey
  readonly each: Evaluated | undefined
  readonly states: InstanceStates | undefined
  /** Set when the instance is settled with the same inputs: no refresh is needed. */
  readonly skipsRefresh?: true
}

/** The result of planning an instance. Outputs are functions, because most are never needed. */
export type InstancePlan =
  | {
      readonly kind: 'same'
      readonly output: () => OutputValue
      readonly settlement?: Settlement
      /** Attributes that were read and differ from what others were shown. */
      readonly attributes?: readonly string[]
    }
  | {
      readonly kind: 'changed'
      readonly output: () => OutputValue
      readonly attributes: readonly string[]
      /** The attributes that trigger `replace_triggered_by` of other objects; `*` stands for the whole instance. */
      readonly triggers: readonly string[]
    }
  /** A data source that was read while planning. */
  | { readonly kind: 'read'; readonly output: () => OutputValue; readonly attributes: readonly string[] }
  | { readonly kind: 'blocked' | 'deferred'; readonly message: string }

/** The prior state of a change: the resource as it was last read. */
export interface Prior {
  readonly kind: 'prior'
  /** Absent when the resource doesn't exist. */
  readonly state?: InstanceState
  /** The slot and revision of its record; no revision when there is no record. */
  readonly slot: 'current' | 'observed'
  readonly revision?: number
  /** The value that dependents have seen so far, and the applied value. */
  readonly settledValue?: Value
  readonly appliedValue?: Value
  /** Set when a refresh found the applied value unchanged. */
  readonly isAsApplied?: true
  /** It was read just now, and differs from what was applied: the attributes of these differences that a plan would change. */
  readonly drift?: readonly string[]
  /** It was read just now, and the provider plans no change from there. */
  readonly isSettled?: boolean
  /** The objects that the resource was created from, as texts of references. */
  readonly madeFrom?: readonly string[]
  /** The address before a move. */
  readonly movedFrom?: string
  /** The id or identity of a resource that this plan imports. */
  readonly importing?: Importing
}
