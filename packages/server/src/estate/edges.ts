import { type NodePlace, nodeFromText, nodeToText } from '../plan/index.ts'
import { decodeKey, encodeKey, type Key, type Operation, type Range } from '../storage/index.ts'
import { edgeSpace } from './spaces.ts'

/**
 * That one object refers to another. There are two sets: the desired edges follow from what is written, the applied ones
 * from what was made. An edge lies under its target and the attribute that is used, so that whoever knows what changed
 * finds exactly those whom it concerns.
 */
export interface Edge {
  readonly target: NodePlace
  /** The attribute of the target that is used; `*` when it is all of it, or only its being there. */
  readonly attribute: string
  readonly dependent: NodePlace
}

export type EdgeSet = 'desired' | 'applied'

export function edgeKey(set: EdgeSet, { target, attribute, dependent }: Edge): Key {
  return encodeKey(edgeSpace.name, [target.cluster, set, nodeToText(target), attribute, nodeToText(dependent)])
}

/** Everybody who refers to a node, or to one attribute of it. */
export function edgeRange(set: EdgeSet, target: NodePlace, attribute?: string): Range {
  const prefix = [target.cluster, set, nodeToText(target), ...(attribute === undefined ? [] : [attribute])]
  return { space: edgeSpace.name, prefix }
}

export function edgeFromKey(key: Uint8Array): Edge {
  const [cluster = '', , target = '', attribute = '', dependent = ''] = decodeKey(key).segments
  return { target: nodeFromText(cluster, target), attribute, dependent: nodeFromText(cluster, dependent) }
}

/**
 * What must change in a set of edges when a node's own edges change. What stays is written again only where it may have been
 * taken away meanwhile.
 */
export function edgeOperations(
  set: EdgeSet,
  before: readonly Edge[],
  after: readonly Edge[],
  stays: 'keep' | 'put-all' = 'keep',
): Operation[] {
  const texts = (edges: readonly Edge[]) =>
    new Map(edges.map((edge) => [`${nodeToText(edge.target)} ${edge.attribute}`, edge]))
  const old = texts(before)
  const now = texts(after)
  const operations: Operation[] = []
  for (const [text, edge] of old) if (!now.has(text)) operations.push({ kind: 'delete', key: edgeKey(set, edge) })
  for (const [text, edge] of now)
    if (stays === 'put-all' || !old.has(text)) operations.push({ kind: 'put', key: edgeKey(set, edge), value: nothing })
  return operations
}

const nothing = new Uint8Array(0)
