import type { Path, Value } from '@hykube/tfplugin/value'
import type { CompiledConfig, Evaluated } from '../expression/index.ts'
import type { PlannedBatch } from './batch-settlement.ts'
import type { Settlement } from './context.ts'
import type { InstanceStates, NodeFacts } from './facts.ts'
import type { Inputs } from './inputs.ts'
import type { OutputValue } from './outputs.ts'
import type { ProviderAccess } from './ports.ts'
import type { InstanceState, Lifecycle } from './rules/instance.ts'
import type { Importing } from './rules/planned-instance.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'

/** What all instances of an object share. */
export interface NodePlan {
  readonly node: NodeFacts
  readonly config: CompiledConfig
  readonly access: ProviderAccess
  readonly inputs: Inputs
  readonly lifecycle: Lifecycle
  /** Other objects of providers that it refers to, as nodes. */
  readonly refersTo: readonly string[]
  readonly triggered?: (instance: InstanceKey) => boolean
  readonly dependencyPending: boolean
  /** How many instances `count` or `for_each` ask for. */
  readonly size?: number
  /** What all instances together will be settled with, where that can be said. */
  readonly batch?: PlannedBatch
}

/** One instance, and what is known of it. */
export interface PlannedOne {
  readonly instance: InstanceKey
  readonly each: Evaluated | undefined
  readonly states: InstanceStates | undefined
  /** It was settled with the same inputs: nothing is read anew. */
  readonly believed?: true
}

/** What an instance came to. Most outputs are never asked for. */
export type InstancePlan =
  | { readonly kind: 'same'; readonly output: () => OutputValue; readonly settlement?: Settlement }
  | {
      readonly kind: 'changed'
      readonly output: () => OutputValue
      readonly attributes: readonly string[]
      /** What of it has those replaced that name it in `replace_triggered_by`: attributes, and `*` for all of it. */
      readonly triggers: readonly string[]
    }
  /** A data source that was read, and now gives this. */
  | { readonly kind: 'read'; readonly output: () => OutputValue; readonly attributes: readonly string[] }
  | { readonly kind: 'blocked' | 'deferred'; readonly message: string }

/** The configuration of one instance, with what it was made of. */
export interface InstanceConfig {
  readonly value: Value
  readonly sensitive: readonly Path[]
  /** The sensitive texts that it was made of. */
  readonly secrets: readonly string[]
  readonly used: readonly (readonly [text: string, hash: string | null])[]
  readonly fingerprint: string
}

/** What a change starts from: the object as it was last seen. */
export interface Prior {
  readonly kind: 'prior'
  /** Absent when there is no object. */
  readonly state?: InstanceState
  /** Which record that is, and its revision; no revision when there is no record. */
  readonly slot: 'current' | 'observed'
  readonly revision?: number
  /** What others have been shown so far, and what was applied. */
  readonly settledValue?: Value
  readonly appliedValue?: Value
  /** It was read just now, and is what was applied. */
  readonly isAsApplied?: true
  /** What it was made from, as nodes. */
  readonly madeFrom?: readonly string[]
  /** The address it had before. */
  readonly movedFrom?: string
  /** It was found outside just now, by this id. */
  readonly importing?: Importing
}
