/** An object that planning knows: one of a provider's kinds, a provider's configuration, or a Secret or ConfigMap that is read. */
export interface NodePlace {
  readonly cluster: string
  readonly group: string
  readonly resource: string
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly name: string
}

/** A place as text, without its cluster: `group/resource/namespace/name`. None of the parts can hold a slash. */
export function nodeToText({ group, resource, namespace, name }: NodePlace): string {
  return `${group}/${resource}/${namespace}/${name}`
}

/** The inverse of {@link nodeToText}. */
export function nodeFromText(cluster: string, text: string): NodePlace {
  const [group = '', resource = '', namespace = '', name = ''] = text.split('/')
  return { cluster, group, resource, namespace, name }
}
