import { canonicalJson, type JsonValue } from '@hykube/machinery/json'

/** The label that tells the ReplicaSets of a Deployment apart. */
export const templateHashLabel = 'pod-template-hash'

/** A short name for a pod template: equal templates have equal names. Its letters make no words. */
export function templateHash(template: unknown): string {
  const text = canonicalJson((withoutHashLabel(template) ?? null) as JsonValue)
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return [...String(hash)].map((digit) => letters[Number(digit)]).join('')
}

/** Whether two pod templates differ in nothing but the label that tells ReplicaSets apart. */
export function sameTemplate(a: unknown, b: unknown): boolean {
  return canonicalJson(withoutHashLabel(a) as JsonValue) === canonicalJson(withoutHashLabel(b) as JsonValue)
}

const letters = 'bcdfghjklm'

function withoutHashLabel(template: unknown): unknown {
  const { metadata = {}, ...rest } = (template ?? {}) as { metadata?: { labels?: Record<string, string> } }
  const { [templateHashLabel]: _, ...labels } = metadata?.labels ?? {}
  return { ...rest, metadata: { ...metadata, labels } }
}
