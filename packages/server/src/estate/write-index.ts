import { type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { referencesOf } from '../expression/index.ts'
import {
  type KindCatalogue,
  type NodeKind,
  type NodePlace,
  resolveReferences,
  usedAttribute,
  wholeObject,
} from '../plan/index.ts'
import type { ObjectIndex } from '../resource/index.ts'
import type { Operation } from '../storage/index.ts'
import { type Edge, edgeOperations } from './edges.ts'
import { putMark } from './marks.ts'
import { resolvedProvidersOf } from './resolved-providers.ts'
import { putUses } from './uses.ts'

/**
 * What planning must know of a write, in the same commit: the edges of an object of a provider, and one mark for whatever
 * may make a difference. It never fans out: who depends on what was written is found when a plan is made.
 */
export function estateIndex(kinds: KindCatalogue): ObjectIndex {
  return ({ group, resource }, { cluster, namespace, name }, before, after) => {
    const place = { cluster, group, resource, namespace, name }
    if (group === '')
      return isReadable(resource) && !sameData(before, after) ? [putMark({ node: place, kind: 'outputs' })] : none
    if (!group.endsWith('hykube.io')) return none
    if (group === 'hykube.io') return configurationOperations(place, before, after, kinds)
    const kind = kinds.at(cluster, group, resource)
    if (isSameSpec(before, after)) return none
    const edges =
      kind === undefined
        ? []
        : edgeOperations('desired', edgesOf(place, kind, before, kinds), edgesOf(place, kind, after, kinds))
    return [...edges, ...usesGone(place, after), putMark({ node: place, kind: 'written' })]
  }
}

/** The edges that follow from what is written. */
export function edgesOf(
  place: NodePlace,
  kind: NodeKind,
  object: KubernetesObject | undefined,
  kinds: KindCatalogue,
): readonly Edge[] {
  if (object === undefined) return []
  const spec = (object.spec ?? {}) as JsonObject
  const references = referencesOf(undefined, spec).references.map(({ reference }) => reference)
  const resolved = resolvedProvidersOf(object)
  const edges: Edge[] = resolveReferences({ place, kind, resolved }, references, kinds).targets.map((target) => ({
    target: target.place,
    attribute: usedAttribute(kind, target),
    dependent: place,
  }))
  if (typeof spec.provider === 'string') {
    const { cluster, namespace } = place
    const target = { cluster, group: 'hykube.io', resource: 'providerconfigs', namespace, name: spec.provider }
    edges.push({ target, attribute: wholeObject, dependent: place })
  }
  return edges
}

// An object of the same name that is created later starts with no authorized uses.
function usesGone(place: NodePlace, after: KubernetesObject | undefined): readonly Operation[] {
  return after === undefined ? [putUses(place, [])] : none
}

const none: readonly Operation[] = []

function isReadable(resource: string): boolean {
  return resource === 'secrets' || resource === 'configmaps'
}

function sameData(before: KubernetesObject | undefined, after: KubernetesObject | undefined): boolean {
  const data = (object: KubernetesObject | undefined) => [object?.data ?? null, object?.binaryData ?? null] as JsonValue
  return jsonEquals(data(before), data(after))
}

// What matters of Providers and their configurations: the specification and, for a Provider, which package is installed.
function configurationOperations(
  place: NodePlace,
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
  kinds: KindCatalogue,
): readonly Operation[] {
  if (place.resource !== 'providers' && place.resource !== 'providerconfigs') return none
  const lock = (object: KubernetesObject | undefined) =>
    (object?.status as { lock?: JsonValue } | undefined)?.lock ?? null
  if (isSameSpec(before, after) && jsonEquals(lock(before), lock(after))) return none
  const edges = (object: KubernetesObject | undefined) => configurationEdges(place, object, kinds)
  const own = place.resource === 'providers' ? [] : edgeOperations('desired', edges(before), edges(after))
  return [...own, ...usesGone(place, after), putMark({ node: place, kind: 'written' })]
}

// What a configuration refers to concerns whoever uses it.
function configurationEdges(
  place: NodePlace,
  object: KubernetesObject | undefined,
  kinds: KindCatalogue,
): readonly Edge[] {
  const { provider = '', config = {} } = (object?.spec ?? {}) as { provider?: string; config?: JsonObject }
  const references = referencesOf(undefined, config).references.map(({ reference }) => reference)
  const resolved = resolvedProvidersOf(object)
  return resolveReferences({ place, kind: { provider }, resolved }, references, kinds).targets.map((target) => ({
    target: target.place,
    attribute: target.attribute,
    dependent: place,
  }))
}

// The generation counts changes of the specification, and the mark of deletion; annotations can ask for an import.
function isSameSpec(before: KubernetesObject | undefined, after: KubernetesObject | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  const { metadata: old = {} } = before
  const { metadata: now = {} } = after
  return (
    old.uid === now.uid &&
    old.generation === now.generation &&
    (old.deletionTimestamp ?? '') === (now.deletionTimestamp ?? '') &&
    old.annotations?.[importAnnotation] === now.annotations?.[importAnnotation] &&
    old.annotations?.[importIdentityAnnotation] === now.annotations?.[importIdentityAnnotation]
  )
}

/** Names what exists outside and shall become this object. */
export const importAnnotation = 'hykube.io/import-id'

/** The same by the attributes of its identity, as JSON. */
export const importIdentityAnnotation = 'hykube.io/import-identity'
