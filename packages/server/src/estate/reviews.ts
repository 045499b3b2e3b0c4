import { type NodePlace, nodeToText } from '../plan/index.ts'
import { encodeKey, type Key, type Operation, type Revision } from '../storage/index.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { reviewSpace } from './spaces.ts'

/**
 * That all objects of a namespace which a provider or its configuration concerns were looked at since it changed. A change
 * of a provider concerns every object it has, and is one mark all the same.
 */
export function putReview(namespace: string, of: NodePlace, upTo: Revision): Operation {
  return { kind: 'put', key: reviewKey(namespace, of), value: recordToBytes({ upTo }) }
}

export function reviewKey(namespace: string, of: NodePlace): Key {
  return encodeKey(reviewSpace.name, [of.cluster, namespace, nodeToText(of)])
}

export function reviewFromEntry({ value }: { readonly value: Uint8Array }): Revision {
  return recordFromBytes<{ upTo: Revision }>(value).upTo
}
