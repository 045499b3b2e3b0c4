import type { JsonObject } from '@hykube/machinery/json'
import type { IdentitySchema, Schema } from '@hykube/tfplugin/value'
import type { StateRecord } from './state-record.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'
import type { NodePlace } from './vocabulary/place.ts'

/** A kind of objects that a provider defines. */
export interface NodeKind {
  /** The name of the Provider object. */
  readonly provider: string
  /** The provider's own name for the type, as `sim_network`. */
  readonly type: string
  /** Whether it is a data source. */
  readonly data: boolean
  readonly group: string
  /** The plural. */
  readonly resource: string
  readonly kind: string
  readonly schema: Schema
  readonly identity?: IdentitySchema
  /** Whether another Provider of the cluster has a type of this name too, so that an address must say which one is meant. */
  readonly isShared?: () => boolean
}

/**
 * The Provider that a bare reference to a type of another Provider was resolved to when it was written, by the address of its
 * target. A Provider that is installed later does not change what the reference means.
 */
export type ResolvedProviders = ReadonlyMap<string, string>

/** An object as planning sees it. */
export interface NodeFacts {
  readonly place: NodePlace
  readonly kind: NodeKind
  readonly uid: string
  readonly generation: number
  readonly labels: Readonly<Record<string, string>>
  readonly spec: JsonObject
  /** Which Providers its bare references mean. */
  readonly resolved?: ResolvedProviders
  /** It was asked to go. */
  readonly deleting: boolean
  /** What it shall be imported from, until it has a state. */
  readonly importId?: string
  /** The same by identity, as JSON. */
  readonly importIdentity?: string
}

/** The kinds that are served, looked up at once. */
export interface KindCatalogue {
  at(cluster: string, group: string, resource: string): NodeKind | undefined
  /** The kind that a name in an expression means, for an object of a Provider. */
  find(cluster: string, own: string, wanted: WantedKind): NodeKind | 'ambiguous' | undefined
}

export interface WantedKind {
  /** Said outright; otherwise the own Provider comes first, then the only other one that has the type. */
  readonly provider?: string
  readonly data: boolean
  readonly type: string
}

/** What is known of one instance. */
export interface InstanceStates {
  readonly instance: InstanceKey
  readonly current?: KnownState
  readonly observed?: KnownState
  readonly deposed: readonly (KnownState & { readonly key: string })[]
}

export interface KnownState {
  readonly record: StateRecord
  /** Changes with every write of the record. */
  readonly revision: number
}
