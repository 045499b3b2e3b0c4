/** The kinds that a service account token can be bound to, besides the account itself. */
export type BoundKind = 'ServiceAccount' | 'Secret' | 'Pod' | 'Node'

/** An object a token hangs on, as far as tokens care. */
export interface BoundObject {
  readonly uid: string
  /** When it was asked to go, in RFC 3339; undefined: it was not. */
  readonly deletionTimestamp?: string | undefined
  /** Of a Pod: the account it runs as, and the node it runs on. */
  readonly serviceAccountName?: string | undefined
  readonly nodeName?: string | undefined
}

/**
 * Finds the objects tokens hang on. Asked on every request that carries a service account token, so it should answer from
 * memory; a Node has the namespace ''.
 */
export interface BoundObjects {
  find(
    cluster: string,
    kind: BoundKind,
    namespace: string,
    name: string,
  ): BoundObject | undefined | Promise<BoundObject | undefined>
}
