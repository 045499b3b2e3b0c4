import { groupVersionToText } from '@hykube/machinery/object'

/** Definitions of meta/v1 that documents refer to. */
export const metaDefinitions = {
  objectMeta: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
  listMeta: 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta',
  status: 'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
  deleteOptions: 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  watchEvent: 'io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent',
  patch: 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch',
} as const

/** Name of the definition of a kind without its own: reversed group, version, kind. */
export function definitionName(group: string, version: string, kind: string): string {
  return [...group.split('.').reverse(), version, kind].filter((part) => part !== '').join('.')
}

/** Name of another kind's definition beside a given one. */
export function siblingName(name: string, kind: string): string {
  return `${name.slice(0, name.lastIndexOf('.') + 1)}${kind}`
}

/** Path of a group-version in the list of documents: `api/v1`, `apis/apps/v1`. */
export function groupVersionPath(group: string, version: string): string {
  return `${group === '' ? 'api' : 'apis'}/${groupVersionToText({ group, version })}`
}

/** Group and version in operation ids: `CoreV1`, `RbacAuthorizationV1`, `StableExampleComV1`. */
export function operationScope(group: string, version: string): string {
  const words = group === '' ? ['core'] : group.replace(/\.k8s\.io$/, '').split(/[.-]/)
  return [...words, version].map(capital).join('')
}

/** Group and version as an operation tag: `core_v1`, `rbacAuthorization_v1`. */
export function operationTag(group: string, version: string): string {
  const words = operationScope(group, '')
  return `${words.slice(0, 1).toLowerCase()}${words.slice(1)}_${version}`
}

/** Capitalizes a word. */
export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
