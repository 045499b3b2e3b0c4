import type { DependencyGraph } from './dependency-graph.ts'

/** Nodes with what they depend on before them; undefined when some depend on each other in a circle. */
export function creationOrder(graph: DependencyGraph): Uint32Array | undefined {
  return ordered(
    graph.size,
    (node) => graph.dependenciesOf(node).length,
    (node) => graph.dependentsOf(node),
  )
}

/** Nodes with what depends on them before them: nothing goes while something still leans on it. */
export function deletionOrder(graph: DependencyGraph): Uint32Array | undefined {
  return ordered(
    graph.size,
    (node) => graph.dependentsOf(node).length,
    (node) => graph.dependenciesOf(node),
  )
}

/** Marks the nodes on circles, and those between two circles; undefined when there is no circle. */
export function nodesOnCircles(graph: DependencyGraph): Uint8Array | undefined {
  const forth = unordered(
    graph.size,
    (node) => graph.dependenciesOf(node).length,
    (node) => graph.dependentsOf(node),
  )
  if (forth === undefined) return undefined
  const back = unordered(
    graph.size,
    (node) => graph.dependentsOf(node).length,
    (node) => graph.dependenciesOf(node),
  )!
  return forth.map((left, node) => left & back[node]!)
}

// The nodes that wait for each other, and those that wait for these.
function unordered(
  size: number,
  waitsFor: (node: number) => number,
  waiting: (node: number) => Uint32Array,
): Uint8Array | undefined {
  const { order, end } = walk(size, waitsFor, waiting)
  if (end === size) return undefined
  const left = new Uint8Array(size).fill(1)
  for (const node of order.subarray(0, end)) left[node] = 0
  return left
}

function ordered(
  size: number,
  waitsFor: (node: number) => number,
  waiting: (node: number) => Uint32Array,
): Uint32Array | undefined {
  const { order, end } = walk(size, waitsFor, waiting)
  return end === size ? order : undefined
}

// Each node waits for a number of others; whoever waits for none is next. Among equals the lower number comes first in its
// wave, so that the same graph always gives the same order.
function walk(
  size: number,
  waitsFor: (node: number) => number,
  waiting: (node: number) => Uint32Array,
): { readonly order: Uint32Array; readonly end: number } {
  const left = new Uint32Array(size)
  const order = new Uint32Array(size)
  let end = 0
  for (let node = 0; node < size; node++) {
    left[node] = waitsFor(node)
    if (left[node] === 0) order[end++] = node
  }
  for (let at = 0; at < end; at++) for (const node of waiting(order[at]!)) if (--left[node]! === 0) order[end++] = node
  return { order, end }
}
