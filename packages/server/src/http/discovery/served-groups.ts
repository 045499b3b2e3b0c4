import { compareVersions } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'

/** A served group with its versions, the preferred one first. */
export interface ServedGroup {
  readonly name: string
  readonly versions: readonly ServedVersion[]
}

export interface ServedVersion {
  readonly version: string
  readonly types: readonly ResourceType[]
}

/** Groups the types by API group, in the order in which clients should search for a kind. */
export function servedGroups(types: Iterable<ResourceType>): readonly ServedGroup[] {
  const groups = Map.groupBy(types, ({ group }) => group)
  return [...groups]
    .map(([name, members]) => ({ name, versions: servedVersions(members) }))
    .sort((a, b) => priority(a.name) - priority(b.name))
}

function servedVersions(types: readonly ResourceType[]): ServedVersion[] {
  const versions = Map.groupBy(types, ({ version }) => version)
  return [...versions]
    .map(([version, members]) => ({ version, types: members.toSorted(byName) }))
    .sort((a, b) => compareVersions(a.version, b.version))
}

function byName(a: ResourceType, b: ResourceType): number {
  return a.names.plural < b.names.plural ? -1 : 1
}

// Kubernetes' order of preference. Other groups follow in the order in which they were first served.
const order = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'flowcontrol.apiserver.k8s.io',
]

function priority(group: string): number {
  const at = order.indexOf(group)
  return at < 0 ? order.length : at
}
