import { type ResourceRef, refToText } from '../../model/index.ts'
import { encodeKey, type Key, type Operation, type Revision } from '../../storage/index.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { reviewSpace } from './spaces.ts'

/**
 * Records that a plan visited all objects of a namespace that use a provider or its configuration, up to a revision. A change of a
 * provider affects all its objects but makes only one mark; reviews tell which namespaces are done.
 */
export function putReview(namespace: string, of: ResourceRef, upTo: Revision): Operation {
  return { kind: 'put', key: reviewKey(namespace, of), value: recordToBytes({ upTo }) }
}

export function reviewKey(namespace: string, of: ResourceRef): Key {
  return encodeKey(reviewSpace.name, [of.cluster, namespace, refToText(of)])
}

export function reviewFromEntry({ value }: { readonly value: Uint8Array }): Revision {
  return recordFromBytes<{ upTo: Revision }>(value).upTo
}
