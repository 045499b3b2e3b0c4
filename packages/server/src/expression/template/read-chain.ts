import type { Node, Syntax } from './syntax.ts'

/** `a.b["c"][0]` as what it begins with and what follows, one step for each dot or bracket. */
export interface Chain {
  readonly root: Node
  readonly steps: readonly ChainStep[]
}

export interface ChainStep {
  readonly node: Node
  readonly access: /** `.name`, or an index that is a literal */
    | { readonly kind: 'fixed'; readonly key: string | number; readonly dot: boolean }
    | { readonly kind: 'computed'; readonly index: Node }
    | { readonly kind: 'splat' }
    | { readonly kind: 'optional'; readonly index: string | Node }
}

/** The chain that a part of an expression is: without steps when it is no selection. */
export function chainOf(node: Node, syntax: Syntax): Chain {
  const steps: ChainStep[] = []
  let current = node
  while (accessOperators.has(current.op)) {
    steps.push({ node: current, access: accessOf(current, syntax) })
    current = (current.args as [Node, unknown])[0]
  }
  return { root: current, steps: steps.reverse() }
}

const accessOperators = new Set(['.', '.?', '[]', '[?]'])

function accessOf(node: Node, syntax: Syntax): ChainStep['access'] {
  const [, index] = node.args as [Node, string | Node]
  if (syntax.isSplat(node)) return { kind: 'splat' }
  if (node.op === '.?' || node.op === '[?]') return { kind: 'optional', index }
  if (typeof index === 'string') return { kind: 'fixed', key: index, dot: true }
  if (index.op !== 'value') return { kind: 'computed', index }
  const literal = index.args
  if (typeof literal === 'string') return { kind: 'fixed', key: literal, dot: false }
  const number = typeof literal === 'bigint' ? Number(literal) : -1
  return Number.isSafeInteger(number) && number >= 0
    ? { kind: 'fixed', key: number, dot: false }
    : { kind: 'computed', index }
}
