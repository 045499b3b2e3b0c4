import { type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { SyncMode } from '@hykube/machinery/sync-api'
import { resolveReferences, usedAttribute, wholeObject } from '../evaluation/index.ts'
import { referencesOf } from '../expression/index.ts'
import type { KindCatalogue, ResourceKind, ResourceRef } from '../model/index.ts'
import type { ObjectIndex } from '../resource/index.ts'
import type { Operation } from '../storage/index.ts'
import { type Edge, edgeOperations } from './records/edges.ts'
import { markKey, putMark } from './records/marks.ts'
import { resolvedProvidersOf } from './records/resolved-providers.ts'
import { putUses } from './records/uses.ts'

/**
 * Returns the operations that index a write for planning, in the same commit: the edges of a provider's object, and one mark if the write may
 * change a plan. It never fans out to dependents; the planner finds them through edges.
 */
export function estateIndex(kinds: KindCatalogue): ObjectIndex {
  return ({ group, resource }, { cluster, namespace, name }, before, after) => {
    const ref = { cluster, group, resource, namespace, name }
    if (group === '')
      return isReadable(resource) && !sameData(before, after) ? [putMark({ ref, kind: 'outputs' })] : none
    if (!group.endsWith('hykube.io')) return none
    if (group === 'hykube.io') return configurationOperations(ref, before, after, kinds)
    const kind = kinds.at(cluster, group, resource)
    if (isSameSpec(before, after)) return none
    const edges =
      kind === undefined
        ? []
        : edgeOperations('desired', edgesOf(ref, kind, before, kinds), edgesOf(ref, kind, after, kinds))
    return [...edges, ...deletedUses(ref, after), ...syncMark(ref, before, after), putMark({ ref, kind: 'written' })]
  }
}

/** Returns the desired edges of an object. */
export function edgesOf(
  ref: ResourceRef,
  kind: ResourceKind,
  object: KubernetesObject | undefined,
  kinds: KindCatalogue,
): readonly Edge[] {
  if (object === undefined) return []
  const spec = (object.spec ?? {}) as JsonObject
  const references = referencesOf(undefined, spec).references.map(({ reference }) => reference)
  const resolved = resolvedProvidersOf(object)
  const edges: Edge[] = resolveReferences({ ref, kind, resolved }, references, kinds).targets.map((target) => ({
    target: target.ref,
    attribute: usedAttribute(kind, target),
    dependent: ref,
  }))
  if (typeof spec.provider === 'string') {
    const { cluster, namespace } = ref
    const target = { cluster, group: 'hykube.io', resource: 'providerconfigs', namespace, name: spec.provider }
    edges.push({ target, attribute: wholeObject, dependent: ref })
  }
  return edges
}

// Deletes the authorized uses with the object, so that a new object with the same name has none.
function deletedUses(ref: ResourceRef, after: KubernetesObject | undefined): readonly Operation[] {
  return after === undefined ? [putUses(ref, [])] : none
}

function syncMark(
  ref: ResourceRef,
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
): readonly Operation[] {
  const [had, has] = [before, after].map((object) => syncModeOf(object) !== undefined)
  if (had === has) return none
  return [has ? putMark({ ref, kind: 'synced' }) : { kind: 'delete', key: markKey(ref, 'synced') }]
}

/** `lifecycle.sync` of an object, when it is set. */
export function syncModeOf(object: KubernetesObject | undefined): SyncMode | undefined {
  return (object?.spec as { lifecycle?: { sync?: SyncMode } } | undefined)?.lifecycle?.sync
}

const none: readonly Operation[] = []

function isReadable(resource: string): boolean {
  return resource === 'secrets' || resource === 'configmaps'
}

function sameData(before: KubernetesObject | undefined, after: KubernetesObject | undefined): boolean {
  const data = (object: KubernetesObject | undefined) => [object?.data ?? null, object?.binaryData ?? null] as JsonValue
  return jsonEquals(data(before), data(after))
}

// Writes of Providers and ProviderConfigs count when the spec changes or, for a Provider, the installed package.
function configurationOperations(
  ref: ResourceRef,
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
  kinds: KindCatalogue,
): readonly Operation[] {
  if (ref.resource !== 'providers' && ref.resource !== 'providerconfigs') return none
  const lock = (object: KubernetesObject | undefined) =>
    (object?.status as { lock?: JsonValue } | undefined)?.lock ?? null
  if (isSameSpec(before, after) && jsonEquals(lock(before), lock(after))) return none
  const edges = (object: KubernetesObject | undefined) => configurationEdges(ref, object, kinds)
  const own = ref.resource === 'providers' ? [] : edgeOperations('desired', edges(before), edges(after))
  return [...own, ...deletedUses(ref, after), putMark({ ref, kind: 'written' })]
}

// The edges of a ProviderConfig. Objects that use it depend on its targets.
function configurationEdges(
  ref: ResourceRef,
  object: KubernetesObject | undefined,
  kinds: KindCatalogue,
): readonly Edge[] {
  const { provider = '', config = {} } = (object?.spec ?? {}) as { provider?: string; config?: JsonObject }
  const references = referencesOf(undefined, config).references.map(({ reference }) => reference)
  const resolved = resolvedProvidersOf(object)
  return resolveReferences({ ref, kind: { provider }, resolved }, references, kinds).targets.map((target) => ({
    target: target.ref,
    attribute: target.attribute,
    dependent: ref,
  }))
}

// Compares everything that planning reads: the generation counts spec changes and the deletion, and annotations may request an import.
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

/** The id of an existing resource that the object imports. */
export const importAnnotation = 'hykube.io/import-id'

/** The identity of an existing resource that the object imports, as JSON. */
export const importIdentityAnnotation = 'hykube.io/import-identity'
