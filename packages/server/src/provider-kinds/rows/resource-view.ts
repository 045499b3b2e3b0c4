import { AddressError, parseAddress, type ResourceAddress } from '@hykube/machinery/object'
import type { RowSource, View } from '@hykube/machinery/resource-type'
import { kindGroup } from '../../provider/index.ts'
import { type ListedKind, type ServedKinds, typeText } from '../kind-catalogue.ts'
import { resourceRow, rowName } from './resource-row.ts'

/** The objects of all kinds of providers as rows, or those of one Provider, in a group and version. */
export function resourceView(kinds: ServedKinds, apiVersion: string, provider?: string): View {
  const own = provider === undefined ? undefined : [kindGroup(provider, 'managed'), kindGroup(provider, 'data')]
  return {
    groupSuffix: '.hykube.io',
    groups: (cluster) => kinds.groups(cluster).filter((group) => own === undefined || own.includes(group)),
    rowsOf: (cluster, group, resource) => {
      const kind = kinds.listed(cluster, group, resource)
      if (kind === undefined || (provider !== undefined && kind.provider !== provider)) return undefined
      return { fields: fieldsOf(kind), row: (object) => resourceRow(kinds, cluster, kind, object, apiVersion) }
    },
    sourceOf: (cluster, name) => sourceOf(kinds, cluster, name, provider),
    endOf: (cluster) => kinds.endOf(cluster),
  }
}

function fieldsOf({ provider, data, type }: ListedKind): ReadonlyMap<string, string> {
  return new Map([
    ['provider', provider],
    ['type', typeText(data, type)],
  ])
}

function sourceOf(
  kinds: ServedKinds,
  cluster: string,
  name: string,
  provider: string | undefined,
): RowSource | undefined {
  const address = addressFrom(name)
  if (address === undefined) return undefined
  const kind = kinds
    .listedOfType(cluster, address)
    .find(
      (each) => (provider ?? each.provider) === each.provider && (address.provider ?? each.provider) === each.provider,
    )
  // One object has one name: other spellings of its address are not found.
  if (kind === undefined || rowName(kinds, cluster, kind, address.name) !== name) return undefined
  return { group: kind.group, resource: kind.resource, name: address.name }
}

function addressFrom(name: string): ResourceAddress | undefined {
  try {
    return parseAddress(name)
  } catch (error) {
    if (error instanceof AddressError) return undefined
    throw error
  }
}
