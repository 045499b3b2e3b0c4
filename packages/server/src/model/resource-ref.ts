/** A reference to an object: of a provider's kind, a Provider, a ProviderConfig, or a Secret or ConfigMap that expressions read. */
export interface ResourceRef {
  readonly cluster: string
  readonly group: string
  readonly resource: string
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly name: string
}

/** Formats a reference as `group/resource/namespace/name`, without its cluster. No part can contain a slash. Stored in records and keys. */
export function refToText({ group, resource, namespace, name }: ResourceRef): string {
  return `${group}/${resource}/${namespace}/${name}`
}

/** The inverse of {@link refToText}. */
export function refFromText(cluster: string, text: string): ResourceRef {
  const [group = '', resource = '', namespace = '', name = ''] = text.split('/')
  return { cluster, group, resource, namespace, name }
}
