import { typeOf } from '../evaluate/values.ts'
import { type Call, type Comprehension, type Expr, qualifiedName, type SyntaxProblem } from '../syntax/syntax.ts'
import type { Functions, Overload } from './functions.ts'
import { assign, assignAll, mostGeneral, type Substitutions, substitute } from './type-relations.ts'
import {
  boolType,
  dynType,
  errorType,
  intType,
  isOptionalType,
  listType,
  mapType,
  optionalType,
  sameType,
  type Type,
  typeParameter,
  typeToText,
} from './types.ts'

/** The declarations that an expression may use. */
export interface Scope {
  readonly functions: Functions
  /** Variables and type names, each with its type. */
  readonly names: ReadonlyMap<string, Type>
}

/** A type-checked expression. */
export interface CheckedExpression {
  readonly expr: Expr
  /** The type of a subexpression. */
  readonly typeOf: (part: Expr) => Type
  /** The overloads that a call may resolve to. Several remain if argument types are dyn; the values then decide. */
  readonly overloadsOf: (call: Expr) => readonly Overload[]
  /** The variable or type that a subexpression refers to, if it does. */
  readonly nameOf: (part: Expr) => string | undefined
  /** All referenced variables and types. */
  readonly names: ReadonlySet<string>
}

/** Infers the types of an expression and collects type errors, with cel-go's algorithm and messages. */
export function checkExpression(
  expr: Expr,
  scope: Scope,
): { checked: CheckedExpression; problems: readonly SyntaxProblem[] } {
  const checker = new Checker(scope)
  checker.check(expr, scope.names)
  return { checked: checker.result(expr), problems: checker.problems }
}

type Names = ReadonlyMap<string, Type>

class Checker {
  readonly #scope: Scope
  readonly #types = new Map<Expr, Type>()
  readonly #overloads = new Map<Expr, readonly Overload[]>()
  readonly #names = new Map<Expr, string>()
  readonly problems: SyntaxProblem[] = []
  /** The inferred values of type variables. Replaced, not modified, so a failed attempt leaves no trace. */
  #known: Substitutions = new Map()
  #variables = 0

  constructor(scope: Scope) {
    this.#scope = scope
  }

  result(expr: Expr): CheckedExpression {
    const types = new Map([...this.#types].map(([part, type]) => [part, this.#final(type)]))
    return {
      expr,
      typeOf: (part) => types.get(part) ?? dynType,
      overloadsOf: (call) => this.#overloads.get(call) ?? [],
      nameOf: (part) => this.#names.get(part),
      names: new Set(this.#names.values()),
    }
  }

  check(expr: Expr, names: Names): Type {
    const type = this.#typeOf(expr, names)
    this.#types.set(expr, type)
    return type
  }

  #typeOf(expr: Expr, names: Names): Type {
    switch (expr.kind) {
      case 'literal':
        return typeOf(expr.value)
      case 'ident':
        return this.#named(expr, expr.name, names) ?? this.#undeclared(expr, expr.name)
      case 'select':
        return this.#select(expr, names)
      case 'call':
        return this.#call(expr, names)
      case 'list':
        return this.#list(expr, names)
      case 'map':
        return this.#map(expr, names)
      case 'message':
        for (const value of expr.values) this.check(value, names)
        return this.#undeclared(expr, expr.name)
      case 'comprehension':
        return this.#comprehension(expr, names)
    }
  }

  // A leading dot refers to the root scope, also inside of a macro that shadows the name.
  #named(expr: Expr, name: string, names: Names): Type | undefined {
    const bare = name.startsWith('.') ? name.slice(1) : name
    const type = (name.startsWith('.') ? this.#scope.names : names).get(bare)
    if (type !== undefined) this.#names.set(expr, bare)
    return type
  }

  // `a.b.c` may be a qualified name, such as a type name, or a field access; the name is tried first.
  #select(expr: Expr & { kind: 'select' }, names: Names): Type {
    const { operand, field, mode } = expr
    const qualified = mode === 'value' ? qualifiedName(expr) : undefined
    if (qualified !== undefined && !isShadowed(expr, names, this.#scope.names)) {
      const type = this.#named(expr, qualified, names)
      if (type !== undefined) return type
    }
    const found = this.#field(expr, this.check(operand, names), field, mode === 'optional')
    return mode === 'test' ? boolType : this.#now(found)
  }

  #field(expr: Expr, operand: Type, field: string, optional: boolean): Type {
    const given = this.#now(operand)
    const isOptional = isOptionalType(given)
    const result = this.#fieldOf(expr, isOptional ? given.parameters[0]! : given, field)
    return isOptional || optional ? optionalType(result) : result
  }

  #fieldOf(expr: Expr, target: Type, field: string): Type {
    switch (target.kind) {
      case 'map':
        return target.parameters[1]!
      case 'struct':
        return target.fields?.get(field) ?? this.#fail(expr, `undefined field '${field}'`)
      case 'parameter':
        this.#assign(dynType, target)
        return dynType
      case 'dyn':
      case 'error':
        return dynType
      default:
        this.#fail(expr, `type '${typeToText(target)}' does not support field selection`)
        return dynType
    }
  }

  // `a.f(x)` is a call of the namespaced function `a.f` if there is one, otherwise a method call on `a`.
  #call(expr: Call, names: Names): Type {
    const { name, target, args } = expr
    const qualifier = target === undefined ? undefined : qualifiedName(target)
    const types = args.map((arg) => this.check(arg, names))
    const spaced = qualifier === undefined ? undefined : this.#scope.functions.get(`${qualifier}.${name}`)
    if (spaced !== undefined && !isShadowed(target!, names, this.#scope.names)) {
      return this.#resolve(expr, `${qualifier}.${name}`, spaced, types, false)
    }
    if (target !== undefined) types.unshift(this.check(target, names))
    const bare = name.startsWith('.') ? name.slice(1) : name
    const overloads = this.#scope.functions.get(bare)
    if (overloads === undefined) return this.#undeclared(expr, name)
    return this.#resolve(expr, bare, overloads, types, target !== undefined)
  }

  #resolve(expr: Call, name: string, overloads: readonly Overload[], types: Type[], isMethod: boolean): Type {
    if (name === '_&&_' || name === '_||_') return this.#logical(expr, overloads, types)
    const fitting: Overload[] = []
    let result: Type | undefined
    for (const overload of overloads) {
      if (overload.isMethod !== isMethod) continue
      const fresh = this.#fresh(overload)
      const known = assignAll(this.#known, types, fresh.parameters)
      if (known === undefined) continue
      this.#known = known
      fitting.push(overload)
      const given = this.#now(fresh.result)
      if (result === undefined) result = given
      else if (result.kind !== 'dyn' && !sameType(given, result)) result = dynType
    }
    if (result === undefined) {
      const [first, ...others] = types.map((type) => typeToText(this.#final(type)))
      const shown = isMethod
        ? `${first}.(${others.join(', ')})`
        : `(${[...(first === undefined ? [] : [first]), ...others].join(', ')})`
      return this.#fail(expr, `found no matching overload for '${name}' applied to '${shown}'`)
    }
    this.#overloads.set(expr, fitting)
    return result
  }

  // Each operand is checked by itself, so that the error points at the operand and not at the operator.
  #logical(expr: Call, overloads: readonly Overload[], types: readonly Type[]): Type {
    this.#overloads.set(expr, overloads)
    let result = boolType
    for (const [at, type] of types.entries()) {
      if (!this.#assign(type, boolType)) {
        this.#mismatch(expr.args[at]!, boolType, type)
        result = errorType
      }
    }
    return result
  }

  #list({ elements, optional }: Expr & { kind: 'list' }, names: Names): Type {
    let joined: Type | undefined
    for (const [at, element] of elements.entries()) {
      let type = this.check(element, names)
      if (optional.has(at)) type = this.#unwrapped(element, type)
      joined = this.#join(joined, type)
    }
    return listType(joined ?? this.#variable())
  }

  #map({ entries }: Expr & { kind: 'map' }, names: Names): Type {
    let keys: Type | undefined
    let values: Type | undefined
    for (const { key, value, optional } of entries) {
      keys = this.#join(keys, this.check(key, names))
      let type = this.check(value, names)
      if (optional) type = this.#unwrapped(value, type)
      values = this.#join(values, type)
    }
    return mapType(keys ?? this.#variable(), values ?? this.#variable())
  }

  #unwrapped(expr: Expr, type: Type): Type {
    if (isOptionalType(type)) return type.parameters[0]!
    if (type.kind !== 'dyn') this.#mismatch(expr, optionalType(type), type)
    return type
  }

  // The element type of a literal: the most general type of its elements, or dyn if they have none in common.
  #join(before: Type | undefined, type: Type): Type {
    if (before === undefined) return type
    return this.#assign(before, type) ? mostGeneral(before, type) : dynType
  }

  #comprehension(expr: Comprehension, names: Names): Type {
    const range = this.#now(this.check(expr.range, names))
    const init = this.check(expr.init, names)
    const outer = new Map(names).set(expr.accumulator, init)
    const inner = new Map(outer)
    const [first, second] = this.#iterated(expr, range)
    inner.set(expr.variable, first)
    if (expr.variable2 !== undefined) inner.set(expr.variable2, second)
    this.#expect(expr.condition, boolType, inner)
    this.#expect(expr.step, init, inner)
    return this.#now(this.check(expr.result, outer))
  }

  // The types of the iteration variables. With one variable, lists give their items and maps their keys.
  #iterated({ range, variable2 }: Comprehension, type: Type): [Type, Type] {
    switch (type.kind) {
      case 'list':
        return variable2 === undefined ? [type.parameters[0]!, dynType] : [intType, type.parameters[0]!]
      case 'map':
        return [type.parameters[0]!, type.parameters[1]!]
      case 'dyn':
      case 'error':
      case 'parameter':
        this.#assign(dynType, type)
        return [dynType, dynType]
      default: {
        const what = '(must be list, map, or dynamic)'
        this.#fail(range, `expression of type '${typeToText(type)}' cannot be range of a comprehension ${what}`)
        return [errorType, errorType]
      }
    }
  }

  #expect(expr: Expr, wanted: Type, names: Names): void {
    const type = this.check(expr, names)
    if (!this.#assign(wanted, type)) this.#mismatch(expr, wanted, type)
  }

  #assign(from: Type, to: Type): boolean {
    const known = assign(this.#known, from, to)
    if (known === undefined) return false
    this.#known = known
    return true
  }

  // Each use of a generic overload gets its own type variables.
  #fresh({ generic, parameters, result }: Overload): Pick<Overload, 'parameters' | 'result'> {
    if (generic.length === 0) return { parameters, result }
    const fresh = new Map(generic.map((name) => [name, this.#variable()]))
    const renamed = (type: Type) => substitute(fresh, type, 'keep', dynType)
    return { parameters: parameters.map(renamed), result: renamed(result) }
  }

  #variable(): Type {
    return typeParameter(`_var${this.#variables++}`)
  }

  // The type with the substitutions known so far; open type variables stay.
  #now(type: Type): Type {
    return substitute(this.#known, type, 'keep', dynType)
  }

  // The type at the end of the check; open type variables become dyn.
  #final(type: Type): Type {
    return substitute(this.#known, type, 'dyn', dynType)
  }

  #undeclared(expr: Expr, name: string): Type {
    return this.#fail(expr, `undeclared reference to '${name}' (in container '')`)
  }

  #mismatch(expr: Expr, wanted: Type, found: Type): void {
    this.#fail(expr, `expected type '${typeToText(this.#now(wanted))}' but found '${typeToText(this.#now(found))}'`)
  }

  #fail({ at }: Expr, message: string): Type {
    this.problems.push({ at, message })
    return errorType
  }
}

// Returns whether the first identifier of a qualified name is a macro's variable, which shadows the qualified name.
function isShadowed(expr: Expr, names: Names, outermost: Names): boolean {
  const root = qualifiedName(expr)!.split('.')[0]!
  const found = names.get(root)
  return found !== undefined && found !== outermost.get(root)
}
