import type { SpecReference } from '../expression/index.ts'
import type { Inputs, NodeKind, NodePlace, ProviderAccess, ProviderProblem } from '../plan/index.ts'

/** Configured providers, as the engine needs them. */
export interface EngineProviders {
  /** What a configuration of the object's namespace refers to, by its name (empty: the default one). */
  references(place: NodePlace, kind: NodeKind, configuration: string): Promise<readonly SpecReference[]>
  /**
   * The provider of a kind, with a configuration of the object's namespace by name. `inputs` hold what objects give that the
   * configuration refers to.
   */
  access(
    place: NodePlace,
    kind: NodeKind,
    configuration: string,
    inputs?: Inputs,
  ): Promise<ProviderAccess | ProviderProblem>
  /** Whether a call that failed with this error never reached the provider. */
  isUnsent(error: unknown): boolean
  /** Whether a call of a provider ended with this error: it crashed, hung, or answered what it must not. */
  isFailure(error: unknown): boolean
  /** Whether the provider is done with a call that failed with this error, so that nothing more comes of it. */
  isOver(error: unknown): boolean
  /** What an error says, without secrets. */
  describe(error: unknown): string
}
