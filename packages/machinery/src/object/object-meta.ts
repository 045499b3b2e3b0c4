import type { JsonObject } from '../json/index.ts'

/** The kind of an object and the API version that it is written in. */
export interface TypeMeta {
  readonly apiVersion?: string
  readonly kind?: string
}

/** The metadata of every object. Times are RFC 3339 text with seconds, as on the wire. */
export interface ObjectMeta {
  readonly name?: string
  readonly generateName?: string
  readonly namespace?: string
  readonly selfLink?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string | null
  readonly deletionTimestamp?: string | null
  readonly deletionGracePeriodSeconds?: number | null
  readonly labels?: Readonly<Record<string, string>> | null
  readonly annotations?: Readonly<Record<string, string>> | null
  readonly ownerReferences?: readonly OwnerReference[] | null
  readonly finalizers?: readonly string[] | null
  readonly managedFields?: readonly ManagedFieldsEntry[] | null
}

/** A reference to an owner, which is in the same namespace or cluster-scoped. */
export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  /** Marks the managing owner; at most one reference has it. */
  readonly controller?: boolean | null
  /** Delays foreground deletion of the owner until this object is deleted. */
  readonly blockOwnerDeletion?: boolean | null
}

/** The fields that one manager owns through one operation, in one API version. */
export interface ManagedFieldsEntry {
  readonly manager?: string
  readonly operation?: 'Apply' | 'Update'
  readonly apiVersion?: string
  readonly time?: string | null
  readonly fieldsType?: string
  readonly fieldsV1?: JsonObject | null
  readonly subresource?: string
}

/** Any object of the API. */
export interface KubernetesObject extends TypeMeta {
  readonly metadata?: ObjectMeta
  readonly [field: string]: unknown
}

/** The annotation with the logical cluster of an object, in responses across clusters. */
export const clusterAnnotation = 'kcp.io/cluster'
