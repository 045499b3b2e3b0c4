/** What every part of an expression has: where it begins and ends, and the place that errors about it point to. */
interface Placed {
  readonly start: number
  readonly end: number
  readonly at: number
}

/** A part of an expression. Operators are calls of functions with cel-go's names for them: `_+_`, `_[_]`. */
export type Expr = Literal | Ident | Select | Call | List | MapLiteral | Message | Comprehension

/** A value that is written out. */
export interface Literal extends Placed {
  readonly kind: 'literal'
  readonly value: unknown
}

/** A name. */
export interface Ident extends Placed {
  readonly kind: 'ident'
  readonly name: string
}

/** `a.b`, `a.?b`, or `has(a.b)` once macros are expanded. */
export interface Select extends Placed {
  readonly kind: 'select'
  readonly operand: Expr
  readonly field: string
  readonly mode: 'value' | 'optional' | 'test'
}

/** A function or operator with its arguments; the target is what a method is called on. */
export interface Call extends Placed {
  readonly kind: 'call'
  readonly name: string
  readonly target?: Expr
  readonly args: readonly Expr[]
}

/** `[a, ?b]` */
export interface List extends Placed {
  readonly kind: 'list'
  readonly elements: readonly Expr[]
  /** The elements that are optional values, left out when they are none. */
  readonly optional: ReadonlySet<number>
}

/** `{a: b, ?c: d}` */
export interface MapLiteral extends Placed {
  readonly kind: 'map'
  readonly entries: readonly MapEntry[]
}

/** An entry of a map that is written out. */
export interface MapEntry {
  readonly key: Expr
  readonly value: Expr
  readonly optional: boolean
}

/** `Type{field: value}` */
export interface Message extends Placed {
  readonly kind: 'message'
  readonly name: string
  readonly values: readonly Expr[]
}

/** What macros over lists and maps become: a fold from `init` by `step` as long as `condition` holds. */
export interface Comprehension extends Placed {
  readonly kind: 'comprehension'
  readonly range: Expr
  readonly variable: string
  /** With it, the first variable is the index or key. */
  readonly variable2?: string
  readonly accumulator: string
  readonly init: Expr
  readonly condition: Expr
  readonly step: Expr
  readonly result: Expr
}

/** A problem in the text of an expression. */
export interface SyntaxProblem {
  readonly at: number
  readonly message: string
}

/** What an expression that can't be read fails with. */
export class SyntaxFailure extends Error {
  readonly problems: readonly SyntaxProblem[]

  constructor(problems: readonly SyntaxProblem[]) {
    super(problems[0]?.message ?? 'cannot read the expression')
    this.problems = problems
  }
}

/** The name of a type or variable that was written with dots; undefined for anything else. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name
  if (expr.kind !== 'select' || expr.mode !== 'value') return undefined
  const owner = qualifiedName(expr.operand)
  return owner === undefined ? undefined : `${owner}.${expr.field}`
}

/** The parts that a part is made of. */
export function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return []
    case 'select':
      return [expr.operand]
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args]
    case 'list':
      return expr.elements
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value])
    case 'message':
      return expr.values
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result]
  }
}
