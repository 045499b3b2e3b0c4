import type { SpecReference } from '../expression/index.ts'
import type { ResourceKind, ResourceRef } from '../model/index.ts'
import type { Inputs } from './inputs.ts'
import type { ProviderAccess, ProviderProblem } from './ports.ts'

/** Access to configured providers. `provider-kinds` implements it with real processes. */
export interface ConfiguredProviders {
  /** Lists the references in a ProviderConfig of the object's namespace (empty name: the default configuration). */
  references(ref: ResourceRef, kind: ResourceKind, configuration: string): Promise<readonly SpecReference[]>
  /**
   * Returns the provider of a kind with a ProviderConfig of the object's namespace. `inputs` are the values that the configuration
   * refers to.
   */
  access(
    ref: ResourceRef,
    kind: ResourceKind,
    configuration: string,
    inputs?: Inputs,
  ): Promise<ProviderAccess | ProviderProblem>
  /** True when a call that failed with this error never reached the provider. */
  isUnsent(error: unknown): boolean
  /** True when a provider caused this error: it crashed, timed out or sent an invalid answer. */
  isFailure(error: unknown): boolean
  /** True when the provider has finished the call that failed with this error, so the call can have no later effect. */
  isFinished(error: unknown): boolean
  /** Returns the message of an error without secrets. */
  describe(error: unknown): string
}
