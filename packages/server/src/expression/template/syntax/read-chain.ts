import type { Expr } from '../../cel/syntax/syntax.ts'
import type { ParsedExpression } from './parse-expression.ts'

/** A chain of accesses such as `a.b["c"][0]`: the root and one step for each dot or bracket. */
export interface Chain {
  readonly root: Expr
  readonly steps: readonly ChainStep[]
}

export interface ChainStep {
  /** The chain up to and including this step. */
  readonly expr: Expr
  readonly access: /** `.name`, or a literal index */
    | { readonly kind: 'fixed'; readonly key: string | number; readonly dot: boolean }
    | { readonly kind: 'computed'; readonly index: Expr }
    | { readonly kind: 'splat' }
    | { readonly kind: 'optional'; readonly index: string | Expr }
}

/** The access chain of an expression; without steps if it is no access. */
export function chainOf(expr: Expr, isSplat: ParsedExpression['isSplat']): Chain {
  const steps: ChainStep[] = []
  for (let current = expr; ; ) {
    const found = isSplat(current) ? splat : accessOf(current)
    if (found === undefined) return { root: current, steps: steps.reverse() }
    steps.push({ expr: current, access: found })
    current = current.kind === 'select' ? current.operand : (current as Expr & { kind: 'call' }).args[0]!
  }
}

const splat = { kind: 'splat' } as const

function accessOf(expr: Expr): ChainStep['access'] | undefined {
  if (expr.kind === 'select')
    return expr.mode === 'optional'
      ? { kind: 'optional', index: expr.field }
      : { kind: 'fixed', key: expr.field, dot: true }
  if (expr.kind !== 'call') return undefined
  const index = expr.args[1]!
  if (expr.name === '_[?_]') return { kind: 'optional', index }
  if (expr.name !== '_[_]') return undefined
  const key = literalKey(index)
  return key === undefined ? { kind: 'computed', index } : { kind: 'fixed', key, dot: false }
}

/** The key of a literal index: a string or an integer that is not negative. */
export function literalKey(index: Expr): string | number | undefined {
  if (index.kind !== 'literal') return undefined
  const { value } = index
  if (typeof value === 'string') return value
  const number = typeof value === 'bigint' ? Number(value) : -1
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}
