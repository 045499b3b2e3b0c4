import { type ResourceRef, refFromText, refToText } from '../../model/index.ts'
import { decodeKey, encodeKey, type Key, type PutOperation, type Range, type Revision } from '../../storage/index.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { markSpace } from './spaces.ts'

/**
 * Marks an object to be visited by the next plan. A write makes one mark, no matter how many objects depend on it: the planner finds
 * dependents through edges.
 */
export interface Mark {
  readonly ref: ResourceRef
  readonly kind: MarkKind
  /** For `outputs`: the attributes that changed. */
  readonly attributes?: readonly string[]
  /** The uid of the plan that handles it. Once that plan is applied, the mark is removed even if it was written after the plan was made. */
  readonly by?: string
}

/**
 * `written`: the spec is new, changed or deleted. `unsettled`: the last outcome left work (a failure, a tainted or deposed resource,
 * observed drift, a changed input). `outputs`: attributes that other objects use changed.
 * `synced` is not for plans: the spec sets `lifecycle.sync`, so that such objects are found without reading all of them.
 */
export type MarkKind = 'written' | 'unsettled' | 'outputs' | 'synced'

/** A mark and the revision of its last write. */
export interface StoredMark extends Mark {
  readonly revision: Revision
}

export function markKey(ref: ResourceRef, kind: MarkKind): Key {
  return encodeKey(markSpace.name, [ref.cluster, kind, ref.namespace, refToText(ref)])
}

/** The key range of all marks of a kind in a cluster or in a namespace. */
export function markRange(cluster: string, kind: MarkKind, namespace?: string): Range {
  return { space: markSpace.name, prefix: [cluster, kind, ...(namespace === undefined ? [] : [namespace])] }
}

export function markFromEntry(entry: { key: Uint8Array; value: Uint8Array; revision: Revision }): StoredMark {
  const [cluster = '', kind = '', , refText = ''] = decodeKey(entry.key).segments
  const { attributes, by } = recordFromBytes<Pick<Mark, 'attributes' | 'by'>>(entry.value)
  return {
    ref: refFromText(cluster, refText),
    kind: kind as MarkKind,
    revision: entry.revision,
    ...(attributes !== undefined && { attributes }),
    ...(by !== undefined && { by }),
  }
}

export function putMark({ ref, kind, attributes, by }: Mark): PutOperation {
  return { kind: 'put', key: markKey(ref, kind), value: recordToBytes({ attributes, by }) }
}
