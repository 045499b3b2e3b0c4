import type { ListResourceEvent } from '@hykube/tfplugin/protocol'
import type { SpecReference } from '../expression/index.ts'
import type { KnownBatch } from './batch-settlement.ts'
import type { InstanceStates, KindCatalogue, NodeFacts, NodeKind } from './facts.ts'
import type { Inputs } from './inputs.ts'
import type { ReferenceTarget } from './references.ts'
import type { ProviderPort } from './rules/instance.ts'
import type { StateRecord } from './state-record.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'
import type { NodePlace } from './vocabulary/place.ts'

/** A configured provider. */
export interface ProviderAccess {
  /** The configuration's name among those of its provider, for records. */
  readonly configuration: string
  /** The hash of the package. */
  readonly package: string
  /** Changes with whatever in the configuration may change a provider's answers. */
  readonly epoch: string
  readonly port: ProviderPort
  /** Whether reading runs commands that users wrote, so that a read while planning is listed in the plan. Default false. */
  readonly runsCommands?: boolean
  readonly capabilities: { readonly planDestroy: boolean; readonly moveResourceState: boolean }
  /** Lets work use one process of the provider from beginning to end. */
  use<T>(work: (session: AccessSession) => Promise<T>): Promise<T>
  /** Sensitive texts in its configuration. */
  readonly secrets: readonly string[]
  /** Strings that the provider is about to be given, and that must not be seen in what it says. */
  hide(secrets: readonly string[]): void
}

/** One process of a provider. */
export interface AccessSession {
  readonly port: ProviderPort
  /** Which process that is, for whoever must know whether it is gone. */
  readonly process: ProcessFacts
  /** Whether a call that is repeated with the same planned private bytes makes no second object. */
  readonly isRepeatable: (type: string) => boolean
  /** Whether a plan of this type follows from what the provider is asked alone, so that the same need not be asked twice. */
  readonly plansSteadily?: (type: string) => boolean
  /** Whether changes of this type that come together cost the provider less than one by one. */
  readonly appliesMany?: (type: string) => boolean
  /** Whether reads of this type that come together cost the provider less than one by one. */
  readonly readsMany?: (type: string) => boolean
  /** The objects of a type that exist, at most so many; undefined when the provider can't tell, or not without being told more. */
  readonly list?: (type: string, limit: number) => Promise<AsyncIterable<ListResourceEvent> | undefined>
}

export interface ProcessFacts {
  readonly pid: number
  readonly startTime: string
  readonly host: string
}

/** What a configuration refers to, and where in it. */
export interface ConfiguredTarget extends ReferenceTarget {
  readonly use: SpecReference
}

/** Why there is no configured provider, and what to do. */
export interface ProviderProblem {
  readonly problem: string
  /** It will be there once something else was applied. */
  readonly isLater?: true
}

/** What the planner asks for. Nothing it asks changes anything. */
export interface PlannerPorts {
  readonly kinds: KindCatalogue
  /** A hash with a key of the server's own, so that short secrets can't be guessed from it. */
  hash(text: string): string
  /** An object, or undefined when there is none. */
  node(place: NodePlace): Promise<NodeFacts | undefined>
  /** Everything that is known of an object's instances, in the order of their keys. */
  states(place: NodePlace): Promise<readonly InstanceStates[]>
  /** The same, some at a time: at most so many after one of them, and whether there are more. */
  instances(
    place: NodePlace,
    after: { readonly key: InstanceKey } | undefined,
    limit: number,
  ): Promise<{ readonly instances: readonly InstanceStates[]; readonly more: boolean }>
  /** About how many objects of a kind there are outside, as far as is known. */
  countStates(cluster: string, kind: NodeKind): Promise<number>
  /** What is known of an object's instances as a whole. */
  batch(place: NodePlace): Promise<KnownBatch>
  /** What is known of one instance. */
  state(place: NodePlace, instance: InstanceKey): Promise<InstanceStates | undefined>
  /** The instances of an object of which a call is under way, or of which nobody knows what came of one; with the plan's name. */
  openCalls(place: NodePlace): Promise<ReadonlyMap<InstanceKey, string>>
  /** Whether anybody refers to an object by what is written. Costs less than finding out who. */
  isReferredTo(target: NodePlace): Promise<boolean>
  /** Who refers to an attribute of an object by what is written. */
  dependents(target: NodePlace, attribute: string | undefined): AsyncIterable<NodePlace>
  /** Who was made from an object. */
  madeFrom(target: NodePlace): AsyncIterable<NodePlace>
  /** Whether somebody who refers to an object, however indirectly, is replaced by creating first. */
  isForcedToCreateFirst(place: NodePlace): Promise<boolean>
  /** Which uses in an object or ProviderConfig were written by users who may read sensitive values of the target. */
  sensitiveUses(place: NodePlace): Promise<ReadonlySet<string>>
  /** The value of a key of a Secret or ConfigMap; undefined when it is not there. */
  keyValue(kind: 'secret' | 'configmap', place: NodePlace, key: string): Promise<string | undefined>
  /** The objects of providers that a configuration of this name refers to, which whoever uses it depends on. */
  configuredFrom(place: NodePlace, kind: NodeKind, configuration: string): Promise<readonly ConfiguredTarget[]>
  /**
   * The provider for an object of a kind, with the configuration of this name in the object's namespace (empty: the default
   * one). No process is started for it. A problem is a text for people. `inputs` hold what the configuration refers to; by
   * default that is what is known now.
   */
  provider(
    place: NodePlace,
    kind: NodeKind,
    configuration: string,
    inputs?: Inputs,
  ): Promise<ProviderAccess | ProviderProblem>
  /** Whether another object manages what an import found. */
  isManagedElsewhere(
    place: NodePlace,
    kind: NodeKind,
    configuration: string,
    record: StateRecord,
    /** `take`: it is managed by this object from now on. */
    use?: 'ask' | 'take',
  ): Promise<boolean>
  /** What an error says that a provider's call ended with, without secrets; undefined for one that is no provider's fault. */
  failureText(error: unknown): string | undefined
}
