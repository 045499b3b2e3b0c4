import { canonicalJson, type JsonValue } from '@hykube/machinery/json'

/** Label that distinguishes the ReplicaSets of a Deployment. */
export const templateHashLabel = 'pod-template-hash'

/** Returns a short hash of a pod template. The letters are consonants, so that it contains no words. */
export function templateHash(template: unknown): string {
  const text = canonicalJson((withoutHashLabel(template) ?? null) as JsonValue)
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return [...String(hash)].map((digit) => letters[Number(digit)]).join('')
}

/** Returns true when two pod templates are equal apart from the hash label. */
export function sameTemplate(a: unknown, b: unknown): boolean {
  return canonicalJson(withoutHashLabel(a) as JsonValue) === canonicalJson(withoutHashLabel(b) as JsonValue)
}

const letters = 'bcdfghjklm'

function withoutHashLabel(template: unknown): unknown {
  const { metadata = {}, ...rest } = (template ?? {}) as { metadata?: { labels?: Record<string, string> } }
  const { [templateHashLabel]: _, ...labels } = metadata?.labels ?? {}
  return { ...rest, metadata: { ...metadata, labels } }
}
