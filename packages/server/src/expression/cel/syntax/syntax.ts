/** The position of a subexpression in the text: its range, and the offset that errors point to. */
interface Placed {
  readonly start: number
  readonly end: number
  readonly at: number
}

/** The syntax tree. Operators are calls with cel-go's function names: `_+_`, `_[_]`. */
export type Expr = Literal | Ident | Select | Call | List | MapLiteral | Message | Comprehension

/** A literal of a scalar type. */
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

/** A call of a function or operator; `target` is the receiver of a method call. */
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
  /** The indices of optional elements (`?b`), which are omitted if they are none. */
  readonly optional: ReadonlySet<number>
}

/** `{a: b, ?c: d}` */
export interface MapLiteral extends Placed {
  readonly kind: 'map'
  readonly entries: readonly MapEntry[]
}

/** An entry of a map literal. */
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

/**
 * The expansion of a macro over a list or map: a fold. The accumulator starts as `init`; for each item of the range, while
 * `condition` is true, it becomes `step`; `result` is evaluated at the end.
 */
export interface Comprehension extends Placed {
  readonly kind: 'comprehension'
  readonly range: Expr
  readonly variable: string
  /** If present, `variable` is the index or key, and this is the value. */
  readonly variable2?: string
  readonly accumulator: string
  readonly init: Expr
  readonly condition: Expr
  readonly step: Expr
  readonly result: Expr
}

/** An error at an offset of the text. */
export interface SyntaxProblem {
  readonly at: number
  readonly message: string
}

/** An expression that can't be parsed. */
export class SyntaxFailure extends Error {
  readonly problems: readonly SyntaxProblem[]

  constructor(problems: readonly SyntaxProblem[]) {
    super(problems[0]?.message ?? 'cannot parse the expression')
    this.problems = problems
  }
}

/** The qualified name of a chain of selections such as `a.b.c`; undefined for other expressions. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name
  if (expr.kind !== 'select' || expr.mode !== 'value') return undefined
  const owner = qualifiedName(expr.operand)
  return owner === undefined ? undefined : `${owner}.${expr.field}`
}

/** The direct subexpressions. */
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
