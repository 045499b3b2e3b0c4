import { type BatchSettlement, type ResourceRef, refToText } from '../../model/index.ts'
import { encodeKey, type Key, type PutOperation, type Revision } from '../../storage/index.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { batchSpace } from './spaces.ts'

/**
 * The settlement of all instances of an object with `count`, which spares a plan from reading each instance. While a plan changes
 * instances, the record names the plan, and the settlement holds only once that plan is applied.
 */
export interface BatchRecord {
  readonly settled?: BatchSettlement
  /** The uid of the plan that is changing instances. */
  readonly plan?: string
}

/** A record and its revision. */
export interface StoredBatch extends BatchRecord {
  readonly revision: Revision
}

export function batchKey(ref: ResourceRef): Key {
  return encodeKey(batchSpace.name, [ref.cluster, ref.namespace, refToText(ref)])
}

export function putBatch(ref: ResourceRef, record: BatchRecord, before: Revision | undefined): PutOperation {
  return { kind: 'put', key: batchKey(ref), value: recordToBytes(record), expect: before ?? 'absent' }
}

export function batchFromEntry(entry: { value: Uint8Array; revision: Revision }): StoredBatch {
  return { ...recordFromBytes<BatchRecord>(entry.value), revision: entry.revision }
}
