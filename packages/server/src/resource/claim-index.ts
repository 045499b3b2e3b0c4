import type { KubernetesObject } from '@hykube/machinery/object'
import { decodeKey, encodeKey, type Operation, type Range } from '../storage/index.ts'
import type { ObjectIndex } from './object-index.ts'
import type { ObjectLocation, ResourceLocation } from './object-key.ts'
import { claimSpace } from './spaces.ts'

/** A value that only one object of a logical cluster can hold, such as a service's IP address, within a named range. */
export interface Claim {
  readonly range: string
  readonly value: string
}

/** Returns the claims of an object. Must be a pure function of the object. */
export type Claims = (resource: ResourceLocation, object: KubernetesObject | undefined) => readonly Claim[]

/**
 * Index of claimed values. It is written in the same commit as the object: two objects can't claim the same value, and
 * a deleted object's values are free, however it was deleted.
 */
export function claimIndex(claims: Claims): ObjectIndex {
  return (resource, place, before, after) => claimOperations(claims, resource, place, before, after)
}

function claimOperations(
  claims: Claims,
  resource: ResourceLocation,
  { cluster, namespace, name }: ObjectLocation,
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

/** Key of the index entry that holds a value. */
export function claimKey(cluster: string, { range, value }: Claim) {
  return encodeKey(claimSpace.name, [cluster, range, value])
}

/** All claimed values of a range. */
export function claimRange(cluster: string, range: string): Range {
  return { space: claimSpace.name, prefix: [cluster, range] }
}

/** Returns the value of an index entry. */
export function claimedValue(key: Uint8Array): string {
  return decodeKey(key).segments[2] ?? ''
}
