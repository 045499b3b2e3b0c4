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

// Each node waits for a number of others; whoever waits for none is next. Among equals the lower number comes first in its
// wave, so that the same graph always gives the same order.
function ordered(
  size: number,
  waitsFor: (node: number) => number,
  waiting: (node: number) => Uint32Array,
): Uint32Array | undefined {
  const left = new Uint32Array(size)
  const order = new Uint32Array(size)
  let end = 0
  for (let node = 0; node < size; node++) {
    left[node] = waitsFor(node)
    if (left[node] === 0) order[end++] = node
  }
  for (let at = 0; at < end; at++) for (const node of waiting(order[at]!)) if (--left[node]! === 0) order[end++] = node
  return end === size ? order : undefined
}
