import { canonicalJson, type JsonValue } from '@hykube/machinery/json'
import type { DefinitionSpec } from './definition.ts'
import { storageVersionOf } from './definition.ts'

/**
 * Tag of stored values that can be served without conversion. A hash, so it changes when the storage version, its
 * schema or its defaults change, and returns to the old value when they are restored. Never 0, and 31 bits, which every
 * storage backend can hold.
 */
export function schemaEpoch(spec: DefinitionSpec): number {
  const version = storageVersionOf(spec)
  const facts = {
    version: version?.name ?? '',
    schema: version?.schema ?? null,
    keep: spec.preserveUnknownFields ?? false,
  }
  let hash = 0x811c9dc5
  const text = canonicalJson(facts as unknown as JsonValue)
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash & 0x7fffffff || 1
}
