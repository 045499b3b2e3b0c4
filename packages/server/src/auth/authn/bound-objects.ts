/** Kinds that a service account token can be bound to. */
export type BoundKind = 'ServiceAccount' | 'Secret' | 'Pod' | 'Node'

/** The fields of a bound object that token authentication needs. */
export interface BoundObject {
  readonly uid: string
  /** Deletion time in RFC 3339; undefined when it is not being deleted. */
  readonly deletionTimestamp?: string | undefined
  /** For a Pod: its service account and node. */
  readonly serviceAccountName?: string | undefined
  readonly nodeName?: string | undefined
}

/**
 * Looks up bound objects. Called on every request with a service account token, so it should use memory; a Node has the
 * namespace ''.
 */
export interface BoundObjects {
  find(
    cluster: string,
    kind: BoundKind,
    namespace: string,
    name: string,
  ): BoundObject | undefined | Promise<BoundObject | undefined>
}
