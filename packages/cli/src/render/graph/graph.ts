/** Resources and their references. */
export interface Graph {
  readonly nodes: readonly GraphNode[]
}

/** A resource with its address, references and state. */
export interface GraphNode {
  readonly id: string
  /** Ids of the resources that it refers to; ids that are not nodes are missing resources. */
  readonly uses: readonly string[]
  readonly state: 'ready' | 'pending' | 'failed'
}

/** The part of a graph within a distance of some nodes, in both directions. */
export function neighbourhood(graph: Graph, around: readonly string[], steps: number): Graph {
  const near = new Map<string, Set<string>>()
  const link = (from: string, to: string) => void (near.get(from) ?? near.set(from, new Set()).get(from)!).add(to)
  for (const { id, uses } of graph.nodes)
    for (const other of uses) {
      link(id, other)
      link(other, id)
    }
  const reached = new Set(around)
  let edge: readonly string[] = around
  for (let step = 0; step < steps; step++) {
    edge = edge.flatMap((id) => [...(near.get(id) ?? [])]).filter((id) => !reached.has(id))
    for (const id of edge) reached.add(id)
  }
  const known = new Set(graph.nodes.map(({ id }) => id))
  const isShown = (id: string) => reached.has(id) || !known.has(id)
  const nodes = graph.nodes.filter(({ id }) => reached.has(id))
  return { nodes: nodes.map((node) => ({ ...node, uses: node.uses.filter(isShown) })) }
}

/** The layer of every node: nodes without references are in the first, each other node is after all it refers to. */
export function layersOf({ nodes }: Graph): string[][] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const depths = new Map<string, number>()
  const depthOf = (id: string, path: ReadonlySet<string>): number => {
    const known = depths.get(id)
    if (known !== undefined) return known
    // A cycle is cut where it closes.
    const uses = (byId.get(id)?.uses ?? []).filter((other) => byId.has(other) && !path.has(other) && other !== id)
    const inner = new Set([...path, id])
    const depth = uses.length === 0 ? 0 : 1 + Math.max(...uses.map((other) => depthOf(other, inner)))
    depths.set(id, depth)
    return depth
  }
  const layers = Map.groupBy(nodes, ({ id }) => depthOf(id, new Set()))
  const sorted = [...layers].sort(([a], [b]) => a - b).map(([, layer]) => layer.map(({ id }) => id).sort())
  return untangled(sorted, nodes)
}

// Moves each node towards its neighbors, in several passes in both directions. Nodes without edges come last.
function untangled(layers: readonly (readonly string[])[], nodes: readonly GraphNode[]): string[][] {
  const uses = new Map(nodes.map((node) => [node.id, node.uses]))
  const users = new Map<string, string[]>()
  for (const { id, uses: used } of nodes)
    for (const other of used) (users.get(other) ?? users.set(other, []).get(other)!).push(id)
  let ordered = layers.map((layer) => [...layer])
  for (let sweep = 0; sweep < 4; sweep++) {
    const neighbours = sweep % 2 === 0 ? users : uses
    const rows = new Map(ordered.flatMap((layer) => layer.map((id, row) => [id, row] as const)))
    const middle = (id: string) => {
      const known = (neighbours.get(id) ?? []).flatMap((other) => rows.get(other) ?? [])
      if (known.length > 0) return known.reduce((sum, row) => sum + row, 0) / known.length
      const isAlone = (users.get(id) ?? []).length + (uses.get(id) ?? []).length === 0
      return isAlone ? Number.POSITIVE_INFINITY : rows.get(id)!
    }
    ordered = ordered.map((layer) => layer.toSorted((a, b) => compare(middle(a), middle(b)) || compare(a, b)))
  }
  return ordered
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
