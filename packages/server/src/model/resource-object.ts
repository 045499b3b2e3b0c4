import type { JsonObject } from '@hykube/machinery/json'
import type { IdentitySchema, Schema } from '@hykube/tfplugin/schema'
import type { InstanceKey } from './instance-key.ts'
import type { ResourceRef } from './resource-ref.ts'
import type { StateRecord } from './state-record.ts'

/** A kind that a provider defines: a resource type or a data source. */
export interface ResourceKind {
  /** The name of the Provider object. */
  readonly provider: string
  /** The provider's name for the type, such as `sim_network`. */
  readonly type: string
  /** True for a data source. */
  readonly data: boolean
  readonly group: string
  /** The plural name, as in request paths. */
  readonly resource: string
  readonly kind: string
  readonly schema: Schema
  readonly identity?: IdentitySchema
  /** True when another Provider of the logical cluster has a type of this name, so that addresses must name the provider. */
  readonly isShared?: () => boolean
}

/**
 * The Providers that bare references were resolved to when they were written, by the address of the target. A Provider that is
 * installed later doesn't change what a stored reference means.
 */
export type ResolvedProviders = ReadonlyMap<string, string>

/** A provider's object, decoded for planning and applying. */
export interface ResourceObject {
  readonly ref: ResourceRef
  readonly kind: ResourceKind
  readonly uid: string
  readonly generation: number
  readonly labels: Readonly<Record<string, string>>
  readonly spec: JsonObject
  /** The Providers of its bare references. */
  readonly resolved?: ResolvedProviders
  /** True when the object has a deletion timestamp. */
  readonly deleting: boolean
  /** The id to import, until the object has a state. */
  readonly importId?: string
  /** The identity to import, as JSON, until the object has a state. */
  readonly importIdentity?: string
}

/** The provider kinds that this server serves, looked up in memory. */
export interface KindCatalogue {
  at(cluster: string, group: string, resource: string): ResourceKind | undefined
  /** Resolves a type name in an expression of an object of the Provider `own`. */
  find(cluster: string, own: string, wanted: WantedKind): ResourceKind | 'ambiguous' | undefined
  /** All kinds of a logical cluster. */
  kinds(cluster: string): Iterable<ResourceKind>
}

export interface WantedKind {
  /** The provider named in the expression. Without it the object's own Provider comes first, then the only other one with the type. */
  readonly provider?: string
  readonly data: boolean
  readonly type: string
}

/** The stored states of one instance. */
export interface InstanceStates {
  readonly instance: InstanceKey
  /** The state after the last apply. */
  readonly current?: KnownState
  /** The state that the last refresh saw, while it differs from `current`. */
  readonly observed?: KnownState
  /** Resources that were replaced and not destroyed yet. */
  readonly deposed: readonly (KnownState & { readonly key: string })[]
}

/** Returns true when a refresh saw a difference from what was applied that a plan would change. */
export function isDrifted({ current, observed }: Pick<InstanceStates, 'current' | 'observed'>): boolean {
  return current !== undefined && observed !== undefined && observed.record.drift?.length !== 0
}

export interface KnownState {
  readonly record: StateRecord
  /** Changes with every write of the record. */
  readonly revision: number
}

/** True when an instance has a real resource. Data sources and imports that were never applied have none. */
export function hasRealResource({ group }: ResourceRef, { current, deposed }: InstanceStates): boolean {
  return !group.startsWith('data.') && (current !== undefined || deposed.length > 0)
}
