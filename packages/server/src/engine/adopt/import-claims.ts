import { createHash } from 'node:crypto'
import { type JsonObject, jsonEquals } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { importAnnotation, importIdentityAnnotation } from '../../estate/index.ts'
import { repetitionOf } from '../../plan/index.ts'
import type { Claims } from '../../resource/index.ts'

/** The ids that annotations of an object ask to import, an identity as its JSON text; as often as they are named. */
export function importedIds({ metadata, spec }: KubernetesObject): readonly string[] {
  const id = metadata?.annotations?.[importAnnotation]
  const identity = metadata?.annotations?.[importIdentityAnnotation]
  const isSingle = repetitionOf((spec ?? {}) as JsonObject) === 'single'
  // Texts that are not valid are told by the plan, which imports nothing by them.
  const ids = id === undefined ? [] : isSingle ? [id] : textsIn(id)
  return identity === undefined ? ids : [...ids, canonicalIdentity(identity)]
}

/**
 * An object holds the ids that it is to import, and goes on holding them as long as its annotations name them. The index is written with
 * the object, so that two objects never both ask for the same one.
 */
export const importClaims: Claims = ({ group, resource }, object) => {
  if (object === undefined || !group.endsWith('.hykube.io')) return []
  const range = `import ${group}/${resource} ${configurationOf(object)}`
  return [...new Set(importedIds(object))].map((id) => ({ range, value: hashOf(id) }))
}

/** Whether two versions of an object ask to import the same. */
export function asksForSame(a: KubernetesObject, b: KubernetesObject | undefined): boolean {
  if (b === undefined || configurationOf(a) !== configurationOf(b)) return false
  return jsonEquals([...importedIds(a)], [...importedIds(b)])
}

// A configuration belongs to its namespace; the default one to the Provider.
function configurationOf({ metadata, spec }: KubernetesObject): string {
  const { provider } = (spec ?? {}) as JsonObject
  return typeof provider === 'string' ? `${metadata?.namespace ?? ''}/${provider}` : ''
}

function textsIn(text: string): string[] {
  try {
    const ids: unknown = JSON.parse(text)
    return typeof ids === 'object' && ids !== null
      ? Object.values(ids).filter((id): id is string => typeof id === 'string' && id !== '')
      : []
  } catch {
    return []
  }
}

function canonicalIdentity(text: string): string {
  try {
    const identity: unknown = JSON.parse(text)
    if (typeof identity !== 'object' || identity === null) return text
    return JSON.stringify(Object.fromEntries(Object.entries(identity).sort(([a], [b]) => (a < b ? -1 : 1))))
  } catch {
    return text
  }
}

// An id may be longer than a key.
function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}
