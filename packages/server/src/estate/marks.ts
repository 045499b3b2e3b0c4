import { type NodePlace, nodeFromText, nodeToText } from '../plan/index.ts'
import { decodeKey, encodeKey, type Key, type PutOperation, type Range, type Revision } from '../storage/index.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { markSpace } from './spaces.ts'

/**
 * That an object has to be looked at by the next plan. A write makes one mark, whatever depends on it: dependents are
 * found through edges when a plan is made.
 */
export interface Mark {
  readonly node: NodePlace
  readonly kind: MarkKind
  /** For `outputs`: the attributes that changed. */
  readonly attributes?: readonly string[]
  /** The uid of the plan that deals with it: once that is applied, the mark goes, however young it is. */
  readonly by?: string
}

/**
 * `written`: its specification is new, changed or gone. `unsettled`: its last outcome leaves something to do (a failure, a
 * tainted or deposed object, drift that was seen, an input that changed). `outputs`: attributes that others use changed.
 */
export type MarkKind = 'written' | 'unsettled' | 'outputs'

/** A mark and when it was last made. */
export interface StoredMark extends Mark {
  readonly revision: Revision
}

export function markKey(node: NodePlace, kind: MarkKind): Key {
  return encodeKey(markSpace.name, [node.cluster, kind, node.namespace, nodeToText(node)])
}

/** Every mark of a kind in a cluster, or in a namespace of it. */
export function markRange(cluster: string, kind: MarkKind, namespace?: string): Range {
  return { space: markSpace.name, prefix: [cluster, kind, ...(namespace === undefined ? [] : [namespace])] }
}

export function markFromEntry(entry: { key: Uint8Array; value: Uint8Array; revision: Revision }): StoredMark {
  const [cluster = '', kind = '', , node = ''] = decodeKey(entry.key).segments
  const { attributes, by } = recordFromBytes<Pick<Mark, 'attributes' | 'by'>>(entry.value)
  return {
    node: nodeFromText(cluster, node),
    kind: kind as MarkKind,
    revision: entry.revision,
    ...(attributes !== undefined && { attributes }),
    ...(by !== undefined && { by }),
  }
}

export function putMark({ node, kind, attributes, by }: Mark): PutOperation {
  return { kind: 'put', key: markKey(node, kind), value: recordToBytes({ attributes, by }) }
}
