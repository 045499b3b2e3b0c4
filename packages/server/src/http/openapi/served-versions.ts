import { createHash } from 'node:crypto'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { groupVersionPath } from './names.ts'

/** A group-version served in a logical cluster. */
export interface ServedVersion {
  readonly types: readonly ResourceType[]
  /** Changes exactly when the document does. Equal in all clusters that serve the same types. */
  readonly hash: string
}

/** Groups types by group-version path (`apis/apps/v1`), sorted by path. */
export function servedVersions(types: Iterable<ResourceType>, version: string): ReadonlyMap<string, ServedVersion> {
  const byPath = Map.groupBy(types, ({ group, version }) => groupVersionPath(group, version))
  return new Map(
    [...byPath].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, members]) => [path, servedVersion(members, version)]),
  )
}

/** Hashes a list of hashes. */
export function hashOf(parts: Iterable<string>): string {
  const hash = createHash('sha512')
  for (const part of parts) hash.update(part).update('\n')
  return hash.digest('hex').toUpperCase()
}

// Increase it when documents change for the same types: clients cache them for a year.
const documentFormat = '2'

function servedVersion(types: readonly ResourceType[], version: string): ServedVersion {
  const sorted = types.toSorted((a, b) => (a.names.plural < b.names.plural ? -1 : 1))
  return { types: sorted, hash: hashOf([documentFormat, version, ...sorted.map(fingerprint)]) }
}

// Cached, because types are compared whenever any type changes, and change rarely.
const fingerprints = new WeakMap<ResourceType, string>()

function fingerprint(type: ResourceType): string {
  let known = fingerprints.get(type)
  if (known === undefined) {
    known = hashOf([JSON.stringify(documentedFacts(type))])
    fingerprints.set(type, known)
  }
  return known
}

// All inputs of the documents.
function documentedFacts(type: ResourceType): unknown {
  const { plural, kind, listKind } = type.names
  return [
    type.group,
    type.version,
    plural,
    kind,
    listKind,
    type.namespaced,
    type.verbs,
    [...type.subresources.values()].map(({ name, verbs, objectKind }) => [name, verbs, objectKind]),
    type.strategicMerge,
    type.protobuf !== undefined,
    type.strategy.returnsDeletedObject,
    type.openApi?.name,
    type.openApi?.fingerprint,
  ]
}
