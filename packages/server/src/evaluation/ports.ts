import type { ListResourceEvent } from '@hykube/tfplugin/protocol'
import type { Value } from '@hykube/tfplugin/value'
import type { SpecReference } from '../expression/index.ts'
import type {
  InstanceKey,
  InstanceStates,
  KindCatalogue,
  KnownBatch,
  ProcessFacts,
  ResourceKind,
  ResourceObject,
  ResourceRef,
  StateRecord,
} from '../model/index.ts'
import type { ProviderPort } from '../terraform/index.ts'
import type { Inputs } from './inputs.ts'
import type { ReferenceTarget } from './references.ts'

// The interfaces through which planning and applying read state and call providers. `estate` and `provider-kinds` implement them.

/** A configured provider. */
export interface ProviderAccess {
  /** The name of the ProviderConfig, as stored in records; empty for the default configuration. */
  readonly configuration: string
  /** The hash of the provider package. */
  readonly package: string
  /** Changes when a setting changes that may change the provider's answers. Credentials are not part of it. */
  readonly epoch: string
  /** Equal for configurations that differ only in credentials and in values that are null, zero, false or empty. */
  readonly settings: string
  readonly port: ProviderPort
  /** True when a read runs commands that users wrote; the plan then lists each read that it made. Default false. */
  readonly runsCommands?: boolean
  readonly capabilities: { readonly planDestroy: boolean }
  /** Runs `work` with one process of the provider, which isn't replaced or stopped until it returns. */
  use<T>(work: (session: AccessSession) => Promise<T>): Promise<T>
  /** The sensitive strings of the provider's own configuration. */
  readonly secrets: readonly string[]
  /** Redacts strings from the provider's logs and messages. Call it before the provider gets them. */
  hide(secrets: readonly string[]): void
}

/** One process of a provider. */
export interface AccessSession {
  readonly port: ProviderPort
  /** Identifies the process, so that a server that recovers a call can check whether the process still runs. */
  readonly process: ProcessFacts
  /** True when a repeated apply call with the same planned private data creates no second resource. */
  readonly isRepeatable: (type: string) => boolean
  /** True when the provider's plan depends on the request alone, so the same request needn't be sent twice. Default false. */
  readonly plansDeterministically?: (type: string) => boolean
  /** True when the provider applies several changes of this type in one call. Default false. */
  readonly batchesApplies?: (type: string) => boolean
  /** True when the provider reads several resources of this type in one call. Default false. */
  readonly batchesReads?: (type: string) => boolean
  /** Has the provider generate a configuration from a state; undefined when it does not offer this or fails. */
  readonly generateConfig?: (type: string, state: Value) => Promise<Value | undefined>
  /** Lists at most `limit` existing resources of a type; undefined when the provider can't list the type without a configuration. */
  readonly list?: (type: string, limit: number) => Promise<AsyncIterable<ListResourceEvent> | undefined>
}

/** A target of a reference in a provider configuration, and where the reference stands. */
export interface ConfiguredTarget extends ReferenceTarget {
  readonly use: SpecReference
}

/** The reason why no configured provider is available, with a remedy. */
export interface ProviderProblem {
  readonly problem: string
  /** The configuration becomes known once other changes are applied, so the object is deferred instead of blocked. */
  readonly isLater?: true
}

/** The planner's read access to state and providers. No method changes anything. */
export interface PlannerPorts {
  readonly kinds: KindCatalogue
  /** A hash keyed with a secret of the server, so that short sensitive values can't be found by trying candidates. */
  hash(text: string): string
  /** Reads an object; undefined when it doesn't exist. */
  object(ref: ResourceRef): Promise<ResourceObject | undefined>
  /** Reads the states of all instances of an object, ordered by key. */
  states(ref: ResourceRef): Promise<readonly InstanceStates[]>
  /** Reads one page of these states: at most `limit` after a key. */
  instances(
    ref: ResourceRef,
    after: { readonly key: InstanceKey } | undefined,
    limit: number,
  ): Promise<{ readonly instances: readonly InstanceStates[]; readonly more: boolean }>
  /** Estimates how many resources of a kind have a state. */
  countStates(cluster: string, kind: ResourceKind): Promise<number>
  /** Reads the settlement of all instances of an object with `count` as a whole. */
  batch(ref: ResourceRef): Promise<KnownBatch>
  /** Reads the states of one instance. */
  state(ref: ResourceRef, instance: InstanceKey): Promise<InstanceStates | undefined>
  /** Lists the instances with a call that is in flight or has an unknown outcome, with the name of the plan that made it. */
  openCalls(ref: ResourceRef): Promise<ReadonlyMap<InstanceKey, string>>
  /** True when the spec of any object refers to this one. Cheaper than `dependents`. */
  isReferredTo(target: ResourceRef): Promise<boolean>
  /** Lists the objects whose spec refers to an attribute of an object; undefined for any attribute. */
  dependents(target: ResourceRef, attribute: string | undefined): AsyncIterable<ResourceRef>
  /** Lists the objects whose applied state depends on an object. */
  madeFrom(target: ResourceRef): AsyncIterable<ResourceRef>
  /** True when a direct or indirect dependent has create_before_destroy, which its dependencies must then follow. */
  isForcedToCreateFirst(ref: ResourceRef): Promise<boolean>
  /** Lists the uses in an object or ProviderConfig that were written by users with permission to get sensitive values of the target. */
  sensitiveUses(ref: ResourceRef): Promise<ReadonlySet<string>>
  /** Reads a key of a Secret or ConfigMap; undefined when it doesn't exist. */
  keyValue(kind: 'secret' | 'configmap', ref: ResourceRef, key: string): Promise<string | undefined>
  /** Lists the objects that a ProviderConfig refers to. Objects that use the ProviderConfig depend on them. */
  configuredFrom(ref: ResourceRef, kind: ResourceKind, configuration: string): Promise<readonly ConfiguredTarget[]>
  /**
   * Returns the provider of a kind with the ProviderConfig of this name in the object's namespace (empty: the default configuration).
   * Starts no process. `inputs` are the values that the configuration refers to; by default the current ones are read.
   */
  provider(
    ref: ResourceRef,
    kind: ResourceKind,
    configuration: string,
    inputs?: Inputs,
  ): Promise<ProviderAccess | ProviderProblem>
  /** True when another object manages the resource that an import found. */
  isManagedElsewhere(
    ref: ResourceRef,
    kind: ResourceKind,
    configuration: string,
    record: StateRecord,
    /** `take` also reserves the resource for this object. Default `ask`. */
    use?: 'ask' | 'take',
  ): Promise<boolean>
  /** Returns the redacted message of a failed provider call; undefined for an error that a provider didn't cause. */
  failureText(error: unknown): string | undefined
}
