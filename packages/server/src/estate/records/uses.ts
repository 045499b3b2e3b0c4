import { type ResourceRef, refToText } from '../../model/index.ts'
import { encodeKey, type Key, type Operation } from '../../storage/index.ts'
import { recordFromBytes, recordToBytes } from './record-codec.ts'
import { useSpace } from './spaces.ts'

/** Stores which uses in an object may read sensitive values of their target. */
export function putUses(ref: ResourceRef, uses: readonly string[]): Operation {
  const key = useKey(ref)
  return uses.length === 0 ? { kind: 'delete', key } : { kind: 'put', key, value: recordToBytes({ uses }) }
}

export function useKey(ref: ResourceRef): Key {
  return encodeKey(useSpace.name, [ref.cluster, refToText(ref)])
}

export function usesFromEntry({ value }: { readonly value: Uint8Array }): readonly string[] {
  return recordFromBytes<{ uses: readonly string[] }>(value).uses
}
