import type { JsonObject } from '../json/index.ts'

/** The type of an object: what it is and in which version it is written. */
export interface TypeMeta {
  readonly apiVersion?: string
  readonly kind?: string
}

/** The metadata that every object has. Times are RFC 3339 text with seconds, as on the wire. */
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

/** An object that this one belongs to, in the same namespace or cluster-scoped. */
export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  /** Whether it is the one owner that manages this object. */
  readonly controller?: boolean | null
  /** Whether the owner, deleted in the foreground, waits for this object to go. */
  readonly blockOwnerDeletion?: boolean | null
}

/** Which fields one manager set, by which operation and in which version. */
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
