import type { ResourceType, Subresource } from '@hykube/machinery/resource-type'
import type { ServedGroup } from './served-groups.ts'

/** Builds the aggregated discovery document: all groups, versions and resources. */
export function aggregatedDiscovery(groups: readonly ServedGroup[], version: string): unknown {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(groupItem),
  }
}

function groupItem({ name, versions }: ServedGroup) {
  return {
    metadata: { ...(name === '' ? {} : { name }), creationTimestamp: null },
    versions: versions.map(({ version, types }) => ({
      version,
      freshness: 'Current',
      resources: types.map((type) => resourceItem(type)),
    })),
  }
}

function resourceItem(type: ResourceType) {
  const { group, version, names, namespaced, verbs, subresources } = type
  return {
    resource: names.plural,
    ...(verbs.length === 0 ? {} : { responseKind: { group, version, kind: names.kind } }),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: names.singular,
    verbs: [...verbs].sort(),
    ...(names.shortNames.length === 0 ? {} : { shortNames: names.shortNames }),
    ...(names.categories.length === 0 ? {} : { categories: names.categories }),
    ...(subresources.size === 0
      ? {}
      : { subresources: [...subresources.values()].map((each) => subresourceItem(type, each)) }),
  }
}

function subresourceItem({ group, version, names }: ResourceType, { name, verbs, objectKind }: Subresource) {
  return {
    subresource: name,
    responseKind: objectKind ?? { group, version, kind: names.kind },
    verbs: [...verbs].sort(),
  }
}
