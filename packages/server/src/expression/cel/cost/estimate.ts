import type { CheckedExpression } from '../check/check.ts'
import { isOptionalType, type Type } from '../check/types.ts'
import { codePoints } from '../evaluate/standard.ts'
import type { Call, Comprehension, Expr } from '../syntax/syntax.ts'
import { listCost, mapCost, messageCost } from './call-cost.ts'
import { type CallEstimate, callEstimate, type EstimatedPart } from './estimate-call.ts'
import { either, exactly, nothing, plus, type Range, type SizeAt, times, unknownSize } from './estimates.ts'

/**
 * Estimates the cost of an expression before it runs, from the maximum sizes that a schema allows. A port of cel-go's
 * checker/cost.go: the same rules give the same numbers, so a CRD is accepted or refused as by kube-apiserver.
 */
export function estimateCost(checked: CheckedExpression, sizeAt: SizeAt): Range {
  return new Estimator(checked, sizeAt).cost(checked.expr)
}

/** The sizes of the entries of a computed list or map. */
interface EntrySizes {
  readonly container: 'list' | 'map'
  readonly key: Range
  readonly value: Range
}

/** A variable of a macro: the schema path of its value, and its size if the value is computed. */
interface Local {
  readonly path: readonly string[]
  readonly size: Range | undefined
  readonly entries: EntrySizes | undefined
}

class Estimator {
  readonly #checked: CheckedExpression
  readonly #sizeAt: SizeAt
  readonly #paths = new Map<Expr, readonly string[]>()
  readonly #sizes = new Map<Expr, Range>()
  readonly #entries = new Map<Expr, EntrySizes>()
  readonly #locals = new Map<string, Local[]>()

  constructor(checked: CheckedExpression, sizeAt: SizeAt) {
    this.#checked = checked
    this.#sizeAt = sizeAt
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'literal':
        return nothing
      case 'ident':
        this.#paths.set(expr, this.#local(expr)?.path ?? [expr.name])
        return exactly(1)
      case 'select':
        return this.#select(expr)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'message':
        return plus(this.#sum(expr.values), exactly(messageCost))
      case 'comprehension':
        return isBinding(expr) ? this.#binding(expr) : this.#comprehension(expr)
      case 'call':
        return this.#call(expr)
    }
  }

  #sum(parts: readonly Expr[]): Range {
    return parts.reduce((sum, part) => plus(sum, this.cost(part)), nothing)
  }

  #select(expr: Expr & { kind: 'select' }): Range {
    if (this.#checked.nameOf(expr) !== undefined) {
      this.#paths.set(expr, [this.#checked.nameOf(expr)!])
      return exactly(1)
    }
    const operand = this.cost(expr.operand)
    if (expr.mode === 'test') return operand
    // cel-go represents `a.?b` as a call of an unknown function, whose cost is 1.
    if (expr.mode === 'optional') return plus(operand, exactly(1))
    this.#paths.set(expr, [...this.#path(expr.operand), expr.field])
    const { kind } = this.#checked.typeOf(expr.operand)
    return kind === 'map' || kind === 'struct' || kind === 'parameter' ? plus(operand, exactly(1)) : operand
  }

  #list(expr: Expr & { kind: 'list' }): Range {
    const cost = this.#sum(expr.elements)
    this.#entries.set(expr, { container: 'list', key: exactly(1), value: this.#united(expr.elements) })
    return plus(cost, exactly(listCost))
  }

  #map(expr: Expr & { kind: 'map' }): Range {
    const keys = expr.entries.map(({ key }) => key)
    const values = expr.entries.map(({ value }) => value)
    const cost = this.#sum([...keys, ...values])
    this.#entries.set(expr, { container: 'map', key: this.#united(keys), value: this.#united(values) })
    return plus(cost, exactly(mapCost))
  }

  #united(parts: readonly Expr[]): Range {
    if (parts.length === 0) return nothing
    return parts.map((part) => this.#sizeOrUnknown(part)).reduce(either)
  }

  #comprehension(expr: Comprehension): Range {
    let sum = plus(this.cost(expr.range), this.cost(expr.init))
    this.#push(expr.accumulator, {
      path: this.#path(expr.init),
      size: this.#size(expr.init),
      entries: this.#entriesOf(expr.init),
    })
    const pushed = this.#pushVariables(expr)
    const perItem = plus(this.cost(expr.condition), this.cost(expr.step))
    for (const name of pushed) this.#pop(name)
    sum = plus(sum, this.cost(expr.result))
    this.#pop(expr.accumulator)
    const count = this.#sizeOrUnknown(expr.range)
    sum = plus(sum, times(count, perItem))
    this.#setResult(expr, count)
    return sum
  }

  // A macro that collects into a list or map has a result of at most the size of its range.
  #setResult(expr: Comprehension, count: Range): void {
    if (expr.init.kind === 'literal') {
      const size = this.#size(expr.init)
      if (size !== undefined) this.#sizes.set(expr, size)
    } else if (expr.init.kind === 'list' || expr.init.kind === 'map') {
      this.#sizes.set(expr, count)
      const entries = this.#entriesOf(expr.step)
      if (entries !== undefined) this.#entries.set(expr, entries)
    }
  }

  #pushVariables({ range, variable, variable2 }: Comprehension): readonly string[] {
    const entries = this.#entriesOf(range)
    const path = this.#path(range)
    const isList = (entries?.container ?? this.#checked.typeOf(range).kind) === 'list'
    const key: Local = { path: [...path, isList ? '@indices' : '@keys'], size: entries?.key, entries: undefined }
    const value: Local = { path: [...path, isList ? '@items' : '@values'], size: entries?.value, entries: undefined }
    if (variable2 === undefined) {
      this.#push(variable, isList ? value : key)
      return [variable]
    }
    this.#push(variable, key)
    this.#push(variable2, value)
    return [variable, variable2]
  }

  // `cel.bind` and optMap are comprehensions over an empty range; their step never runs.
  #binding(expr: Comprehension): Range {
    let sum = plus(this.cost(expr.range), this.cost(expr.init))
    this.#push(expr.accumulator, {
      path: this.#path(expr.init),
      size: this.#size(expr.init),
      entries: this.#entriesOf(expr.init),
    })
    sum = plus(sum, this.cost(expr.result))
    this.#pop(expr.accumulator)
    this.#copySizes(expr, expr.result)
    return sum
  }

  #call(expr: Call): Range {
    const overloads = this.#checked.overloadsOf(expr)
    const isMethod = overloads[0]?.isMethod === true
    if (expr.name === 'dyn' && expr.target === undefined) {
      const cost = this.cost(expr.args[0]!)
      this.#copySizes(expr, expr.args[0]!)
      return plus(cost, exactly(1))
    }
    const argCosts = expr.args.map((arg) => this.cost(arg))
    const args = expr.args.map((arg) => this.#part(arg))
    if (overloads.length === 0) return nothing
    const ofTarget = isMethod ? this.cost(expr.target!) : nothing
    const target = isMethod ? this.#part(expr.target!) : undefined
    const estimates = overloads.map((overload) => callEstimate(overload, target, args, argCosts, this.#sizeAt))
    this.#setCallSizes(expr, estimates)
    return plus(ofTarget, estimates.map(({ cost }) => cost).reduce(either))
  }

  #setCallSizes(expr: Call, estimates: readonly CallEstimate[]): void {
    const [first, second, third] = expr.args
    let size = estimates
      .map(({ size: each }) => each)
      .filter((each) => each !== undefined)
      .reduce<Range | undefined>((all, each) => (all === undefined ? each : either(all, each)), undefined)
    if (expr.name === '_[_]') {
      const { kind } = this.#checked.typeOf(first!)
      if (kind === 'list' || kind === 'map') {
        size = this.#entriesOf(first!)?.value
        this.#paths.set(expr, [...this.#path(first!), kind === 'list' ? '@items' : '@values'])
      }
    }
    if (expr.name === '_+_') this.#unite(expr, first!, second!)
    if (expr.name === '_?_:_') this.#unite(expr, second!, third!)
    size ??= this.#size(expr)
    if (size !== undefined) this.#sizes.set(expr, size)
  }

  #unite(expr: Expr, a: Expr, b: Expr): void {
    const first = this.#entriesOf(a)
    const second = this.#entriesOf(b)
    if (first === undefined || second === undefined) return
    this.#entries.set(expr, {
      container: first.container,
      key: either(first.key, second.key),
      value: either(first.value, second.value),
    })
  }

  // Paths that start at a macro's variable, and not at a variable of the rule, have no declared size.
  #part(expr: Expr): EstimatedPart {
    const path = this.#path(expr)
    const type = this.#checked.typeOf(expr)
    return { expr, type, path: path[0]?.startsWith('@') === true ? [] : path, size: this.#size(expr) }
  }

  #sizeOrUnknown(expr: Expr): Range {
    return this.#size(expr) ?? unknownSize
  }

  #size(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr)
    if (known !== undefined) return known
    const path = this.#path(expr)
    const declared = path.length === 0 ? undefined : this.#sizeAt(path)
    if (declared !== undefined) {
      this.#sizes.set(expr, declared)
      return declared
    }
    if (isScalar(this.#checked.typeOf(expr))) return exactly(1)
    return this.#local(expr)?.size
  }

  #entriesOf(expr: Expr): EntrySizes | undefined {
    return this.#entries.get(expr) ?? this.#local(expr)?.entries
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#size(from)
    if (size !== undefined) this.#sizes.set(to, size)
    const entries = this.#entriesOf(from)
    if (entries !== undefined) this.#entries.set(to, entries)
  }

  #path(expr: Expr): readonly string[] {
    return this.#local(expr)?.path ?? this.#paths.get(expr) ?? []
  }

  #local(expr: Expr): Local | undefined {
    return expr.kind === 'ident' ? this.#locals.get(expr.name)?.at(-1) : undefined
  }

  #push(name: string, local: Local): void {
    this.#locals.set(name, [...(this.#locals.get(name) ?? []), local])
  }

  #pop(name: string): void {
    this.#locals.get(name)!.pop()
  }
}

function isBinding({ range, condition }: Comprehension): boolean {
  const isEmpty = range.kind === 'list' && range.elements.length === 0
  return isEmpty && condition.kind === 'literal' && condition.value === false
}

function literalSize(expr: Expr): Range | undefined {
  if (expr.kind === 'list') return exactly(expr.elements.length)
  if (expr.kind === 'map') return exactly(expr.entries.length)
  if (expr.kind !== 'literal') return undefined
  if (typeof expr.value === 'string') return exactly(codePoints(expr.value))
  return exactly(expr.value instanceof Uint8Array ? expr.value.length : 1)
}

const scalars = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint'])

function isScalar(type: Type): boolean {
  return scalars.has(type.kind) || (isOptionalType(type) && isScalar(type.parameters[0]!))
}
