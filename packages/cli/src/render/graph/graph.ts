/** Resources and what they refer to. */
export interface Graph {
  readonly nodes: readonly GraphNode[]
}

/** One resource: its address, what it refers to, and how it stands. */
export interface GraphNode {
  readonly id: string
  /** Ids of what it refers to; those that are not nodes are missing. */
  readonly uses: readonly string[]
  readonly state: 'ready' | 'pending' | 'failed'
}

/** The part of a graph within so many steps of some nodes, in both directions. */
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

/** Every node's layer: what uses nothing is in the first, everything else below all that it uses. */
export function layersOf({ nodes }: Graph): string[][] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const depths = new Map<string, number>()
  const depthOf = (id: string, path: ReadonlySet<string>): number => {
    const known = depths.get(id)
    if (known !== undefined) return known
    // A circle has no first: where it closes, it is cut.
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

// Each node goes near those that it is joined with, there and back a few times; what is joined with nothing goes last.
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
