import type { KubernetesObject } from '@hykube/machinery/object'
import { decodeKey, encodeKey, type Operation, type Range } from '../storage/index.ts'
import type { ObjectIndex } from './object-index.ts'
import type { ObjectPlace, ResourcePlace } from './object-key.ts'
import { claimSpace } from './spaces.ts'

/** A value that only one object of a logical cluster can hold, within a range of such values. */
export interface Claim {
  readonly range: string
  readonly value: string
}

/** What an object of a resource claims for itself; the same object always claims the same. */
export type Claims = (resource: ResourcePlace, object: KubernetesObject | undefined) => readonly Claim[]

/**
 * What must change in the index of claims when an object changes. It is written in the same commit: two objects that claim
 * the same never both come to be, and what an object held is free when it is gone, whatever made it go.
 */
export function claimIndex(claims: Claims): ObjectIndex {
  return (resource, place, before, after) => claimOperations(claims, resource, place, before, after)
}

function claimOperations(
  claims: Claims,
  resource: ResourcePlace,
  { cluster, namespace, name }: ObjectPlace,
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
): readonly Operation[] {
  const old = claims(resource, before)
  const now = claims(resource, after)
  if (old.length === 0 && now.length === 0) return []
  const isIn = (list: readonly Claim[], { range, value }: Claim) =>
    list.some((each) => each.range === range && each.value === value)
  const holder = new TextEncoder().encode(`${namespace}/${name}`)
  return [
    ...old
      .filter((claim) => !isIn(now, claim))
      .map((claim): Operation => ({ kind: 'delete', key: claimKey(cluster, claim) })),
    ...now
      .filter((claim) => !isIn(old, claim))
      .map((claim): Operation => ({ kind: 'put', key: claimKey(cluster, claim), value: holder, expect: 'absent' })),
  ]
}

/** Where it is written who holds a value. */
export function claimKey(cluster: string, { range, value }: Claim) {
  return encodeKey(claimSpace.name, [cluster, range, value])
}

/** Everything that is claimed of a range. */
export function claimRange(cluster: string, range: string): Range {
  return { space: claimSpace.name, prefix: [cluster, range] }
}

/** The value that an entry of the index stands for. */
export function claimedValue(key: Uint8Array): string {
  return decodeKey(key).segments[2] ?? ''
}
