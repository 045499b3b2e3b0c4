import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceObject } from '../model/index.ts'
import { decodeObject, type StoredObject } from '../resource/index.ts'

/** A stored object and its decoded form. */
export interface ObjectSource {
  readonly stored: StoredObject
  readonly object: KubernetesObject
}

/** Decodes an object. */
export function sourceFrom(stored: StoredObject): ObjectSource {
  return { stored, object: decodeObject(stored.bytes) }
}

/** Remembers the stored object of a ResourceObject, so that the ledger needn't read and decode it again. */
export function noteSource(facts: ResourceObject, source: ObjectSource): void {
  sources.set(facts, source)
}

/** Returns the remembered stored object. It may be outdated, so a commit that relies on it names its revision. */
export function sourceOf(facts: ResourceObject): ObjectSource | undefined {
  return sources.get(facts)
}

const sources = new WeakMap<ResourceObject, ObjectSource>()
