import { groupVersionToText } from '@hykube/machinery/object'
import type { ResourceType, Subresource } from '@hykube/machinery/resource-type'
import type { ServedGroup, ServedVersion } from './served-groups.ts'

/** `/api`: the versions of the core group. */
export function coreVersions(core: ServedGroup | undefined, serverAddress: string): unknown {
  return {
    kind: 'APIVersions',
    versions: core?.versions.map(({ version }) => version) ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  }
}

/** `/apis`: every group but the core. */
export function groupList(groups: readonly ServedGroup[]): unknown {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.filter(({ name }) => name !== '').map(groupBody) }
}

/** `/apis/<group>`. */
export function groupDocument(group: ServedGroup): unknown {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group) }
}

/** `/apis/<group>/<version>` and `/api/v1`. */
export function resourceList(group: string, { version, types }: ServedVersion): unknown {
  const groupVersion = groupVersionToText({ group, version })
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: types.flatMap(resourceRows) }
}

function groupBody({ name, versions }: ServedGroup) {
  const rows = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions: rows, preferredVersion: rows[0] }
}

function resourceRows(type: ResourceType): unknown[] {
  const { names, namespaced, verbs, subresources } = type
  const main = {
    name: names.plural,
    singularName: names.singular,
    namespaced,
    kind: names.kind,
    verbs: [...verbs].sort(),
    ...(names.shortNames.length === 0 ? {} : { shortNames: names.shortNames }),
    ...(names.categories.length === 0 ? {} : { categories: names.categories }),
    ...(verbs.includes('list') ? { storageVersionHash: storageVersionHash(type) } : {}),
  }
  return [
    ...(verbs.length === 0 ? [] : [main]),
    ...[...subresources.values()].map((each) => subresourceRow(type, each)),
  ]
}

function subresourceRow({ names, namespaced }: ResourceType, { name, verbs, objectKind }: Subresource) {
  return {
    name: `${names.plural}/${name}`,
    singularName: '',
    namespaced,
    ...(objectKind === undefined ? {} : { group: objectKind.group, version: objectKind.version }),
    kind: objectKind?.kind ?? names.kind,
    verbs: [...verbs].sort(),
  }
}

// Eight bytes that change with the storage version. Clients treat them as opaque.
function storageVersionHash({ storage }: ResourceType): string {
  return hashText(`${storage.group}/${storage.resource}/${storage.apiVersion}/${storage.kind}`)
}

function hashText(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (let at = 0; at < text.length; at++)
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n)
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(hash)
  return bytes.toString('base64')
}
