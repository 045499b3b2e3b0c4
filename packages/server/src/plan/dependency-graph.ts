/** Edges as pairs of nodes: `from[i]` depends on `to[i]`. Nodes are numbers from 0 on. */
export interface Edges {
  readonly from: Uint32Array
  readonly to: Uint32Array
}

/**
 * Who depends on whom, for millions of nodes: two flat arrays in each direction and no object for a node or an edge. It does
 * not change once it is made. An edge that is given twice counts twice.
 */
export class DependencyGraph {
  readonly size: number
  readonly #dependencies: Neighbours
  readonly #dependents: Neighbours

  constructor(size: number, { from, to }: Edges) {
    if (from.length !== to.length)
      throw new Error(`a graph needs as many beginnings of edges as ends: ${from.length} and ${to.length}`)
    this.size = size
    this.#dependencies = neighbours(size, from, to)
    this.#dependents = neighbours(size, to, from)
  }

  /** What a node depends on. */
  dependenciesOf(node: number): Uint32Array {
    return slice(this.#dependencies, node)
  }

  /** What depends on a node. */
  dependentsOf(node: number): Uint32Array {
    return slice(this.#dependents, node)
  }
}

interface Neighbours {
  /** Where the neighbours of each node begin, and after the last node where they end. */
  readonly starts: Uint32Array
  readonly nodes: Uint32Array
}

// A counting sort: how many each node has, where each begins, and then every edge into its place.
function neighbours(size: number, from: Uint32Array, to: Uint32Array): Neighbours {
  const starts = new Uint32Array(size + 1)
  for (const node of from) {
    if (node >= size) throw new Error(`an edge begins at node ${node}, and there are ${size}`)
    starts[node + 1]!++
  }
  for (let node = 0; node < size; node++) starts[node + 1]! += starts[node]!
  const next = starts.slice(0, size)
  const nodes = new Uint32Array(to.length)
  for (let edge = 0; edge < to.length; edge++) nodes[next[from[edge]!]!++] = to[edge]!
  return { starts, nodes }
}

function slice({ starts, nodes }: Neighbours, node: number): Uint32Array {
  return nodes.subarray(starts[node], starts[node + 1])
}
