import { groupVersionToText } from '@hykube/machinery/object'

/** The definitions of meta/v1 that documents refer to. */
export const metaDefinitions = {
  objectMeta: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
  listMeta: 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta',
  status: 'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
  deleteOptions: 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  watchEvent: 'io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent',
  patch: 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch',
} as const

/** The name of the definition of a kind that does not name its own: the group turned around, version, kind. */
export function definitionName(group: string, version: string, kind: string): string {
  return [...group.split('.').reverse(), version, kind].filter((part) => part !== '').join('.')
}

/** The name of another kind's definition, in the same place as a named one. */
export function siblingName(name: string, kind: string): string {
  return `${name.slice(0, name.lastIndexOf('.') + 1)}${kind}`
}

/** Where a group-version lies, as documents are listed by: `api/v1`, `apis/apps/v1`. */
export function groupVersionPath(group: string, version: string): string {
  return `${group === '' ? 'api' : 'apis'}/${groupVersionToText({ group, version })}`
}

/** The group and version in the ids of operations: `CoreV1`, `RbacAuthorizationV1`, `StableExampleComV1`. */
export function operationScope(group: string, version: string): string {
  const words = group === '' ? ['core'] : group.replace(/\.k8s\.io$/, '').split(/[.-]/)
  return [...words, version].map(capital).join('')
}

/** The group and version as a tag of operations: `core_v1`, `rbacAuthorization_v1`. */
export function operationTag(group: string, version: string): string {
  const words = operationScope(group, '')
  return `${words.slice(0, 1).toLowerCase()}${words.slice(1)}_${version}`
}

/** A word with a capital in front. */
export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
