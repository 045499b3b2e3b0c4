import { type BatchSettlement, type NodePlace, nodeToText } from '../plan/index.ts'
import { encodeKey, type Key, type PutOperation, type Revision } from '../storage/index.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { batchSpace } from './spaces.ts'

/**
 * How the instances of an object with `count` stand as a whole, so that whoever knows it need not look at each. While a plan
 * changes some of them, it says so here, with what they will be settled with once all of that was applied.
 */
export interface BatchRecord {
  readonly settled?: BatchSettlement
  /** The uid of the plan that changes instances now. */
  readonly plan?: string
}

/** A record and when it was written. */
export interface StoredBatch extends BatchRecord {
  readonly revision: Revision
}

export function batchKey(node: NodePlace): Key {
  return encodeKey(batchSpace.name, [node.cluster, node.namespace, nodeToText(node)])
}

export function putBatch(node: NodePlace, record: BatchRecord, before: Revision | undefined): PutOperation {
  return { kind: 'put', key: batchKey(node), value: recordToBytes(record), expect: before ?? 'absent' }
}

export function batchFromEntry(entry: { value: Uint8Array; revision: Revision }): StoredBatch {
  return { ...recordFromBytes<BatchRecord>(entry.value), revision: entry.revision }
}
