import { type NodePlace, nodeToText } from '../plan/index.ts'
import { encodeKey, type Key, type Operation } from '../storage/index.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { useSpace } from './spaces.ts'

/** Keeps which uses of values in an object were written by users who may read sensitive values of the target. */
export function putUses(node: NodePlace, uses: readonly string[]): Operation {
  const key = useKey(node)
  return uses.length === 0 ? { kind: 'delete', key } : { kind: 'put', key, value: recordToBytes({ uses }) }
}

export function useKey(node: NodePlace): Key {
  return encodeKey(useSpace.name, [node.cluster, nodeToText(node)])
}

export function usesFromEntry({ value }: { readonly value: Uint8Array }): readonly string[] {
  return recordFromBytes<{ uses: readonly string[] }>(value).uses
}
