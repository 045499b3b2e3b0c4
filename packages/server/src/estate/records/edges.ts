import { type ResourceRef, refFromText, refToText } from '../../model/index.ts'
import { decodeKey, encodeKey, type Key, type Operation, type Range } from '../../storage/index.ts'
import { edgeSpace } from './spaces.ts'

/**
 * A reference from one object to another. There are two sets: desired edges follow from specs, applied edges from state records. The key of
 * an edge starts with the target and the used attribute, so that the dependents of a changed attribute form one key range.
 */
export interface Edge {
  readonly target: ResourceRef
  /** The used attribute of the target; `*` for the whole object or for a mere dependency. */
  readonly attribute: string
  readonly dependent: ResourceRef
}

export type EdgeSet = 'desired' | 'applied'

export function edgeKey(set: EdgeSet, { target, attribute, dependent }: Edge): Key {
  return encodeKey(edgeSpace.name, [target.cluster, set, refToText(target), attribute, refToText(dependent)])
}

/** The key range of the edges to an object, or to one of its attributes. */
export function edgeRange(set: EdgeSet, target: ResourceRef, attribute?: string): Range {
  const prefix = [target.cluster, set, refToText(target), ...(attribute === undefined ? [] : [attribute])]
  return { space: edgeSpace.name, prefix }
}

export function edgeFromKey(key: Uint8Array): Edge {
  const [cluster = '', , target = '', attribute = '', dependent = ''] = decodeKey(key).segments
  return { target: refFromText(cluster, target), attribute, dependent: refFromText(cluster, dependent) }
}

/**
 * Returns the operations that change an object's edges from `before` to `after`. Edges in both are written again only with `put-all`, for
 * callers whose edges another commit may have deleted.
 */
export function edgeOperations(
  set: EdgeSet,
  before: readonly Edge[],
  after: readonly Edge[],
  stays: 'keep' | 'put-all' = 'keep',
): Operation[] {
  const texts = (edges: readonly Edge[]) =>
    new Map(edges.map((edge) => [`${refToText(edge.target)} ${edge.attribute}`, edge]))
  const old = texts(before)
  const now = texts(after)
  const operations: Operation[] = []
  for (const [text, edge] of old) if (!now.has(text)) operations.push({ kind: 'delete', key: edgeKey(set, edge) })
  for (const [text, edge] of now)
    if (stays === 'put-all' || !old.has(text)) operations.push({ kind: 'put', key: edgeKey(set, edge), value: nothing })
  return operations
}

const nothing = new Uint8Array(0)
