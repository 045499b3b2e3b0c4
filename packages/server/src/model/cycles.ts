import type { DependencyGraph } from './dependency-graph.ts'

/** Marks the indexes on cycles, and those between two cycles; undefined when there is no cycle. */
export function indexesOnCycles(graph: DependencyGraph): Uint8Array | undefined {
  const forth = unordered(
    graph.size,
    (index) => graph.dependenciesOf(index),
    (index) => graph.dependentsOf(index),
  )
  if (forth === undefined) return undefined
  const back = unordered(
    graph.size,
    (index) => graph.dependentsOf(index),
    (index) => graph.dependenciesOf(index),
  )!
  return forth.map((left, index) => left & back[index]!)
}

type Neighbours = (index: number) => Uint32Array

// Marks the indexes on cycles and those that wait for them, by Kahn's algorithm: indexes that wait for nothing are taken until none is
// left. Iterative, because recursion over a chain of a million indexes would overflow the call stack.
function unordered(size: number, waitsFor: Neighbours, waiting: Neighbours): Uint8Array | undefined {
  const left = Uint32Array.from({ length: size }, (_, index) => waitsFor(index).length)
  const order = new Uint32Array(size)
  let end = 0
  for (let index = 0; index < size; index++) if (left[index] === 0) order[end++] = index
  for (let at = 0; at < end; at++)
    for (const index of waiting(order[at]!)) if (--left[index]! === 0) order[end++] = index
  return end === size ? undefined : Uint8Array.from(left, (count) => (count > 0 ? 1 : 0))
}
