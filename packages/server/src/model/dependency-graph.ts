/** Edges as pairs of vertex indexes: `from[i]` depends on `to[i]`. */
export interface Edges {
  readonly from: Uint32Array
  readonly to: Uint32Array
}

/**
 * An immutable dependency graph over the indexes 0 to size-1. It stores two flat arrays per direction and no object per vertex or edge,
 * because a plan may have millions of them. A duplicate edge counts twice.
 */
export class DependencyGraph {
  readonly size: number
  readonly #dependencies: Neighbours
  readonly #dependents: Neighbours

  constructor(size: number, { from, to }: Edges) {
    if (from.length !== to.length)
      throw new Error(`a graph needs as many edge sources as targets: ${from.length} and ${to.length}`)
    this.size = size
    this.#dependencies = neighbours(size, from, to)
    this.#dependents = neighbours(size, to, from)
  }

  /** Returns the indexes that `index` depends on. */
  dependenciesOf(index: number): Uint32Array {
    return slice(this.#dependencies, index)
  }

  /** Returns the indexes that depend on `index`. */
  dependentsOf(index: number): Uint32Array {
    return slice(this.#dependents, index)
  }
}

interface Neighbours {
  /** The offset of each vertex's neighbours in `neighbours`; the last element is the end of the last list. */
  readonly starts: Uint32Array
  readonly neighbours: Uint32Array
}

// Builds the adjacency arrays by counting sort: count the edges of each vertex, turn counts into offsets, place every edge.
function neighbours(size: number, from: Uint32Array, to: Uint32Array): Neighbours {
  const starts = new Uint32Array(size + 1)
  for (const index of from) {
    if (index >= size) throw new Error(`an edge starts at index ${index} of ${size}`)
    starts[index + 1]!++
  }
  for (let index = 0; index < size; index++) starts[index + 1]! += starts[index]!
  const next = starts.slice(0, size)
  const targets = new Uint32Array(to.length)
  for (let edge = 0; edge < to.length; edge++) targets[next[from[edge]!]!++] = to[edge]!
  return { starts, neighbours: targets }
}

function slice({ starts, neighbours }: Neighbours, index: number): Uint32Array {
  return neighbours.subarray(starts[index], starts[index + 1])
}
