import { createHash } from 'node:crypto'
import { type JsonObject, jsonEquals } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { repetitionOf } from '../evaluation/index.ts'
import type { ResourceRef } from '../model/index.ts'
import { type Claims, claimedValue, claimRange, type ObjectStore, type ResourceLocation } from '../resource/index.ts'
import { importAnnotation, importIdentityAnnotation } from './write-index.ts'

/** Lists the ids in the import annotations of an object, with duplicates; an identity counts as its JSON text. */
export function importedIds({ metadata, spec }: KubernetesObject): readonly string[] {
  const id = metadata?.annotations?.[importAnnotation]
  const identity = metadata?.annotations?.[importIdentityAnnotation]
  const isSingle = repetitionOf((spec ?? {}) as JsonObject) === 'single'
  // Invalid annotations are ignored here; the plan reports them and imports nothing.
  const ids = id === undefined ? [] : isSingle ? [id] : idsIn(id)
  return identity === undefined ? ids : [...ids, canonicalIdentity(identity)]
}

/**
 * Claims the ids in an object's import annotations for as long as the annotations exist. The claims are written in the commit of the
 * object, so that two objects can't import the same id with one configuration. Configurations with equal settings are compared by
 * IdHolders, because a claim is a function of the object alone.
 */
export const importClaims: Claims = ({ group, resource }, object) => {
  if (object === undefined || !group.endsWith('.hykube.io')) return []
  const value = configurationOf(object)
  return [...new Set(importedIds(object))].map((id) => ({ range: rangeOf({ group, resource }, id), value }))
}

/** Lists the objects of a kind that ask to import an id, with the names of their ProviderConfigs. */
export async function* importersOf(
  objects: ObjectStore,
  cluster: string,
  { group, resource }: ResourceLocation,
  id: string,
): AsyncGenerator<{ readonly ref: ResourceRef; readonly configuration: string }> {
  const range = claimRange(cluster, rangeOf({ group, resource }, id))
  for (let page = await objects.scan(range); ; page = await objects.scan(range, { after: page.last })) {
    for (const { key, value } of page.entries) {
      const [namespace = '', name = ''] = new TextDecoder().decode(value).split('/')
      const [, configuration = ''] = claimedValue(key).split('/')
      yield { ref: { cluster, group, resource, namespace, name }, configuration }
    }
    if (page.last === undefined) return
  }
}

/** True when two versions of an object import the same ids with the same configuration. */
export function asksForSame(a: KubernetesObject, b: KubernetesObject | undefined): boolean {
  if (b === undefined || configurationOf(a) !== configurationOf(b)) return false
  return jsonEquals([...importedIds(a)], [...importedIds(b)])
}

// A ProviderConfig is unique within its namespace; empty stands for the default configuration.
function configurationOf({ metadata, spec }: KubernetesObject): string {
  const { provider } = (spec ?? {}) as JsonObject
  return typeof provider === 'string' ? `${metadata?.namespace ?? ''}/${provider}` : ''
}

function idsIn(text: string): string[] {
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

// Hashed, because an id may be longer than a key allows.
function rangeOf({ group, resource }: ResourceLocation, id: string): string {
  return `import ${group}/${resource} ${createHash('sha256').update(id).digest('base64url')}`
}
