import type { DependencyGraph } from './dependency-graph.ts'

/**
 * Nodes that depend on each other in a circle, each on the next and the last on the first, for the message that says so;
 * undefined when there are none. Keeps its own stack: a chain of a million nodes must not be one of a million calls.
 */
export function findCycle(graph: DependencyGraph): readonly number[] | undefined {
  const state = new Uint8Array(graph.size)
  for (let root = 0; root < graph.size; root++) {
    const cycle = state[root] === unseen ? searchFrom(graph, root, state) : undefined
    if (cycle !== undefined) return cycle
  }
  return undefined
}

const unseen = 0
const onPath = 1
const done = 2

function searchFrom(graph: DependencyGraph, root: number, state: Uint8Array): readonly number[] | undefined {
  const path = [root]
  const next = [0]
  state[root] = onPath
  while (path.length > 0) {
    const node = path.at(-1)!
    const dependency = graph.dependenciesOf(node)[next[next.length - 1]!++]
    if (dependency === undefined) {
      state[node] = done
      path.pop()
      next.pop()
    } else if (state[dependency] === onPath) {
      return path.slice(path.indexOf(dependency))
    } else if (state[dependency] === unseen) {
      state[dependency] = onPath
      path.push(dependency)
      next.push(0)
    }
  }
  return undefined
}
