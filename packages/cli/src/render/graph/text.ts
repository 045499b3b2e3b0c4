import type { Style } from '../style.ts'
import type { Graph, GraphNode } from './graph.ts'

/** A graph as a tree: resources that nothing refers to at the top, references below. Repeated subtrees are only named. */
export function graphToText({ nodes }: Graph, style: Style): string {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const used = new Set(nodes.flatMap(({ uses }) => uses))
  const tops = nodes.filter(({ id }) => !used.has(id)).map(({ id }) => id)
  const shown = new Set<string>()
  const lines: string[] = []
  const walk = (id: string, prefix: string, branch: string) => {
    const node = byId.get(id)
    const again = shown.has(id) && (node?.uses.length ?? 0) > 0
    lines.push(`${prefix}${branch}${label(id, node, style)}${again ? style.gray(' (see above)') : ''}`)
    if (again || node === undefined) return
    shown.add(id)
    const uses = [...node.uses].sort()
    const inner = branch === '' ? '' : prefix + (branch === '└─ ' ? '   ' : '│  ')
    for (const [index, other] of uses.entries()) walk(other, inner, index === uses.length - 1 ? '└─ ' : '├─ ')
  }
  // In a cycle every node is referred to; the tree starts with the first.
  for (const top of tops.sort()) walk(top, '', '')
  for (const { id } of nodes) if (!shown.has(id)) walk(id, '', '')
  return lines.map((line) => `${line}\n`).join('')
}

function label(id: string, node: GraphNode | undefined, { red, yellow, green }: Style): string {
  if (node === undefined) return `${red('✗')} ${id} (missing)`
  const mark = { ready: green('●'), pending: yellow('○'), failed: red('✗') }[node.state]
  return `${mark} ${id}`
}
