import { createHash } from 'node:crypto'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { groupVersionPath } from './names.ts'

/** A group-version as it is served in a logical cluster. */
export interface ServedVersion {
  readonly types: readonly ResourceType[]
  /** Stays the same until the document would be another. Equal in all clusters that serve the same types. */
  readonly hash: string
}

/** The group-versions that types make, by path (`apis/apps/v1`), in the order of paths. */
export function servedVersions(types: Iterable<ResourceType>, version: string): ReadonlyMap<string, ServedVersion> {
  const byPath = Map.groupBy(types, ({ group, version }) => groupVersionPath(group, version))
  return new Map(
    [...byPath].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, members]) => [path, servedVersion(members, version)]),
  )
}

/** The hash of things that have hashes. */
export function hashOf(parts: Iterable<string>): string {
  const hash = createHash('sha512')
  for (const part of parts) hash.update(part).update('\n')
  return hash.digest('hex').toUpperCase()
}

// To be raised whenever documents come out differently for the same types: clients keep them for a year.
const documentFormat = '2'

function servedVersion(types: readonly ResourceType[], version: string): ServedVersion {
  const sorted = types.toSorted((a, b) => (a.names.plural < b.names.plural ? -1 : 1))
  return { types: sorted, hash: hashOf([documentFormat, version, ...sorted.map(fingerprint)]) }
}

// Types are compared often (whenever any type anywhere changes) and change rarely.
const fingerprints = new WeakMap<ResourceType, string>()

function fingerprint(type: ResourceType): string {
  let known = fingerprints.get(type)
  if (known === undefined) {
    known = hashOf([JSON.stringify(documentedFacts(type))])
    fingerprints.set(type, known)
  }
  return known
}

// Everything that documents are made from.
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
    [...type.subresources.values()].map(({ name, verbs, speaks }) => [name, verbs, speaks]),
    type.strategicMerge,
    type.protobuf !== undefined,
    type.strategy.returnsDeletedObject,
    type.openApi?.name,
    type.openApi?.fingerprint,
  ]
}
