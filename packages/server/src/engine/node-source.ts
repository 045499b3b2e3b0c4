import type { KubernetesObject } from '@hykube/machinery/object'
import type { NodeFacts } from '../plan/index.ts'
import { decodeObject, type StoredObject } from '../resource/index.ts'

/** An object as it is kept, and what its bytes say. */
export interface NodeSource {
  readonly stored: StoredObject
  readonly object: KubernetesObject
}

/** Decodes an object. */
export function sourceFrom(stored: StoredObject): NodeSource {
  return { stored, object: decodeObject(stored.bytes) }
}

/** Notes what facts were made from, so that whoever changes the object need not read and decode it again. */
export function noteSource(facts: NodeFacts, source: NodeSource): void {
  sources.set(facts, source)
}

/** What facts were made from. It may have moved since: a change that leans on it names its revision. */
export function sourceOf(facts: NodeFacts): NodeSource | undefined {
  return sources.get(facts)
}

const sources = new WeakMap<NodeFacts, NodeSource>()
