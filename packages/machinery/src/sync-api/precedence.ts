import type { KubernetesObject } from '../object/index.ts'

/**
 * Orders policies that match an object, the one that holds first: those of its namespace before those of the cluster, older ones
 * first. Names decide between policies of the same second, because timestamps are no finer.
 */
export function comparePrecedence(
  { metadata: a = {} }: KubernetesObject,
  { metadata: b = {} }: KubernetesObject,
): number {
  const [first, second] = [a, b].map(({ namespace, creationTimestamp, name }) =>
    [namespace == null || namespace === '' ? 1 : 0, creationTimestamp, name].join(' '),
  )
  return first! < second! ? -1 : first! > second! ? 1 : 0
}
