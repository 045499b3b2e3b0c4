import { type Graph, layersOf } from './graph.ts'

/** A graph in the DOT language of Graphviz; an edge goes from a resource to the one it refers to. */
export function graphToDot({ nodes }: Graph): string {
  const lines = nodes.flatMap(({ id, uses }) => [
    `  ${JSON.stringify(id)};`,
    ...uses.map((other) => `  ${JSON.stringify(id)} -> ${JSON.stringify(other)};`),
  ])
  return `digraph hykube {\n  rankdir = "RL";\n  node [shape = "box"];\n${lines.join('\n')}\n}\n`
}

/** A graph in Mermaid's syntax. */
export function graphToMermaid({ nodes }: Graph): string {
  const names = new Map<string, string>()
  const nameOf = (id: string) => {
    const name = names.get(id) ?? `n${names.size}`
    names.set(id, name)
    return name
  }
  const lines = nodes.flatMap(({ id, uses }) => [
    `  ${nameOf(id)}["${id.replaceAll('"', '#quot;')}"]`,
    ...uses.map((other) => `  ${nameOf(id)} --> ${nameOf(other)}`),
  ])
  const known = new Set(nodes.map(({ id }) => id))
  const missing = [...names].filter(([id]) => !known.has(id))
  return `flowchart RL\n${[...lines, ...missing.map(([id, name]) => `  ${name}["${id.replaceAll('"', '#quot;')}"]`)].join('\n')}\n`
}

/** A graph as SVG: layers from left to right, dependencies first. */
export function graphToSvg(graph: Graph): string {
  const layers = layersOf(graph)
  const width = Math.max(120, ...graph.nodes.map(({ id }) => id.length * 7.5 + 24))
  const places = new Map(
    layers.flatMap((layer, column) =>
      layer.map((id, row) => [id, { x: 20 + column * (width + 60), y: 20 + row * 46 }] as const),
    ),
  )
  const size = {
    x: 40 + layers.length * (width + 60) - 60,
    y: 24 + Math.max(1, ...layers.map((layer) => layer.length)) * 46,
  }
  const arrows = graph.nodes.flatMap(({ id, uses }) =>
    uses.flatMap((other) => {
      const [to, from] = [places.get(id), places.get(other)]
      if (to === undefined || from === undefined) return []
      const [x1, y1, x2, y2] = [from.x + width, from.y + 15, to.x, to.y + 15]
      return [`<path class="uses" d="M${x1} ${y1}C${x1 + 30} ${y1} ${x2 - 30} ${y2} ${x2} ${y2}"/>`]
    }),
  )
  const boxes = graph.nodes.map(({ id, state }) => {
    const { x, y } = places.get(id)!
    return `<g class="${state}"><rect x="${x}" y="${y}" width="${width}" height="30" rx="5"/><text x="${x + 12}" y="${y + 20}">${escapeXml(id)}</text></g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.x} ${size.y}" width="${size.x}" height="${size.y}">`,
    '<style>text{font:12px monospace}.uses{fill:none;stroke:#888}rect{fill:#fff;stroke:#888}.ready rect{stroke:#2a2}.failed rect{stroke:#c22}</style>',
    ...arrows,
    ...boxes,
    '</svg>\n',
  ].join('\n')
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
