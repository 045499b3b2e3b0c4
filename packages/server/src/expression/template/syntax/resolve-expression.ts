import { attributeStep, Decimal, indexStep, type Path, type PathStep } from '@hykube/tfplugin/value'
import type { Call, Expr, Literal } from '../../cel/syntax/syntax.ts'
import { isConstant } from './language.ts'
import { type ParsedExpression, parseTemplateExpression } from './parse-expression.ts'
import { type Chain, type ChainStep, chainOf, literalKey } from './read-chain.ts'
import { type ReadReference, readReference } from './read-reference.ts'
import { type Reference, referenceToText } from './reference.ts'
import { TemplateError } from './template.ts'
import type { BinaryOperator, ComprehensionShape, Macro, TemplateExpr, TemplateExprShape } from './template-expr.ts'

/** A reference and its position in the template. */
export interface PlacedReference {
  readonly reference: Reference
  /** The path that the expression reads: the reference's own path and the literal optional steps after it. */
  readonly reach: Path
  readonly start: number
  readonly end: number
}

/** A resolved expression and its references. */
export interface ResolvedExpression {
  readonly expr: TemplateExpr
  readonly references: readonly PlacedReference[]
}

/** Parses and resolves the expression at an offset of a template. Throws TemplateError with a position in the template. */
export function resolveExpression(source: string, offset: number): ResolvedExpression {
  const { root, isSplat } = parseTemplateExpression(source, offset)
  const reader = new Resolver(isSplat, source, offset)
  return { expr: reader.read(root, noLocals), references: reader.references }
}

type Locals = ReadonlyMap<string, number>
type Range = Pick<Expr, 'start' | 'end'>

const noLocals: Locals = new Map()

class Resolver {
  readonly #isSplat: ParsedExpression['isSplat']
  readonly #source: string
  readonly #offset: number
  readonly references: PlacedReference[] = []
  readonly #known = new Map<string, Reference>()

  constructor(isSplat: ParsedExpression['isSplat'], source: string, offset: number) {
    this.#isSplat = isSplat
    this.#source = source
    this.#offset = offset
  }

  read(expr: Expr, locals: Locals): TemplateExpr {
    switch (expr.kind) {
      case 'literal':
        return this.#at(expr, { kind: 'literal', value: this.#literal(expr) })
      case 'list':
        return this.#at(expr, { kind: 'list', elements: this.#all(expr.elements, locals) })
      case 'map':
        return this.#at(expr, {
          kind: 'map',
          entries: expr.entries.map(({ key, value }) => [this.read(key, locals), this.read(value, locals)] as const),
        })
      case 'call':
        return expr.target === undefined ? this.#call(expr, locals) : this.#method(expr, expr.target, locals)
      default:
        return this.#access(expr, locals)
    }
  }

  #call(expr: Call, locals: Locals): TemplateExpr {
    const { name, args } = expr
    if (name === '_[_]' || name === '_[?_]') return this.#access(expr, locals)
    const read = (index: number) => this.read(args[index]!, locals)
    switch (name) {
      case '_?_:_':
        return this.#at(expr, { kind: 'conditional', condition: read(0), whenTrue: read(1), whenFalse: read(2) })
      case '_&&_':
        return this.#at(expr, { kind: 'and', left: read(0), right: read(1) })
      case '_||_':
        return this.#at(expr, { kind: 'or', left: read(0), right: read(1) })
      case '!_':
        return this.#at(expr, { kind: 'not', operand: read(0) })
      case '-_':
        return this.#at(expr, { kind: 'negate', operand: read(0) })
      case 'has':
        if (args.length !== 1 || !isAccess(args[0]!))
          throw this.#problem(expr, 'has() takes an attribute, such as has(a.b)')
        return this.#at(expr, { kind: 'has', operand: read(0) })
      default: {
        const operator = name === '@in' ? 'in' : /^_([^\w]+)_$/.exec(name)?.[1]
        if (operator !== undefined) return this.#binary(expr, operator as BinaryOperator, locals)
        return this.#at(expr, { kind: 'call', name, isMethod: false, args: this.#all(args, locals) })
      }
    }
  }

  #binary(expr: Call, operator: BinaryOperator, locals: Locals): TemplateExpr {
    const [first, second] = expr.args as [Expr, Expr]
    const left = this.read(first, locals)
    // Checked before the right operand is read: in `aws_vpc.my-net` that is no reference, which would hide the cause.
    if (operator === '-' && isWholeObject(left)) {
      const name = this.#source.slice(first.start, first.end)
      throw this.#problem(expr, `${name} is not a number; write names with dashes as TYPE["NAME"]`)
    }
    return this.#at(expr, { kind: 'binary', operator, left, right: this.read(second, locals) })
  }

  #at({ start, end }: Range, shape: TemplateExprShape): TemplateExpr {
    return { ...shape, start: this.#offset + start, end: this.#offset + end }
  }

  #all(exprs: readonly Expr[], locals: Locals): TemplateExpr[] {
    return exprs.map((expr) => this.read(expr, locals))
  }

  // A number that neither an int nor a double represents exactly stays a Decimal: it can be passed on, but not computed with.
  #literal({ value, start, end }: Literal): unknown {
    if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : Decimal.fromInteger(value)
    if (typeof value !== 'number') return value
    const exact = Decimal.parse(this.#source.slice(start, end).trim())
    return exact === undefined || Decimal.fromNumber(value)?.equals(exact) === true ? value : exact
  }

  #access(expr: Expr, locals: Locals): TemplateExpr {
    const chain = chainOf(expr, this.#isSplat)
    const { root, steps } = chain
    if (root.kind !== 'ident') return this.#follow(this.read(root, locals), steps, 0, locals)
    const { name } = root
    const slot = locals.get(name)
    if (slot !== undefined) return this.#follow(this.#at(root, { kind: 'local', name, slot }), steps, 0, locals)
    if (isConstant(name)) return this.#follow(this.#at(root, { kind: 'constant', name }), steps, 0, locals)
    return this.#reference(chain, locals)
  }

  #reference(chain: Chain, locals: Locals): TemplateExpr {
    const { reference: read, key, length } = this.#readReference(chain, locals)
    const { start } = chain.root
    const { end } = length === 0 ? chain.root : chain.steps[length - 1]!.expr
    const reference = this.#shared(read)
    const reach = reachOf(reference, chain.steps.slice(length))
    this.references.push({ reference, reach, start: this.#offset + start, end: this.#offset + end })
    const resolved = this.#at(
      { start, end },
      { kind: 'reference', reference, ...(key !== undefined && { key: this.read(key, locals) }) },
    )
    const depth = reference.kind === 'resource' && reference.instance.kind === 'all' ? 1 : 0
    return this.#follow(resolved, chain.steps.slice(length), depth, locals)
  }

  #readReference(chain: Chain, locals: Locals): ReadReference {
    try {
      return readReference(chain, this.#isSplat, (name) => locals.has(name))
    } catch (error) {
      if (error instanceof TemplateError) throw new TemplateError(error.message, this.#offset + error.position)
      throw error
    }
  }

  // Equal references share one object, so that scopes can cache lookups by identity.
  #shared(reference: Reference): Reference {
    if (reference.kind === 'resource' && reference.instance.kind === 'dynamic') return reference
    const text = referenceToText(reference)
    const known = this.#known.get(text)
    if (known !== undefined) return known
    this.#known.set(text, reference)
    return reference
  }

  // Steps after [*] apply to each element.
  #follow(operand: TemplateExpr, steps: readonly ChainStep[], depth: number, locals: Locals): TemplateExpr {
    let resolved = operand
    for (const { expr, access } of steps) {
      if (access.kind === 'splat') {
        resolved = this.#at(expr, { kind: 'splat', operand: resolved, depth })
        depth++
      } else {
        const given = access.kind === 'fixed' ? access.key : access.index
        const index = this.#index(expr, given, locals)
        resolved = this.#at(expr, {
          kind: 'access',
          operand: resolved,
          index,
          optional: access.kind === 'optional',
          depth,
        })
      }
    }
    return resolved
  }

  #index(expr: Expr, given: string | number | Expr, locals: Locals): string | TemplateExpr {
    if (typeof given === 'string') return given
    return this.read(typeof given === 'number' ? (expr as Call).args[1]! : given, locals)
  }

  #method(expr: Call, receiver: Expr, locals: Locals): TemplateExpr {
    const { name, args } = expr
    const owner = receiver.kind === 'ident' ? receiver.name : undefined
    if (owner !== undefined && !locals.has(owner) && isConstant(owner)) {
      if (owner === 'cel' && name === 'bind') return this.#bind(expr, locals)
      return this.#at(expr, { kind: 'call', name, namespace: owner, isMethod: true, args: this.#all(args, locals) })
    }
    const macro = macros[name]
    const variables = macro?.variables[args.length]
    if (macro !== undefined && variables !== undefined)
      return this.#at(expr, this.#comprehension(macro.macro, variables, receiver, args, locals))
    return this.#at(expr, { kind: 'call', name, isMethod: true, args: this.#all([receiver, ...args], locals) })
  }

  #bind(expr: Call, locals: Locals): TemplateExpr {
    const [variable, value, body] = expr.args
    if (variable === undefined || value === undefined || body === undefined)
      throw this.#problem(expr, 'cel.bind() takes a name, a value and an expression')
    const name = this.#variable(variable)
    const inside = withLocal(locals, name)
    return this.#at(expr, {
      kind: 'bind',
      slot: inside.get(name)!,
      value: this.read(value, locals),
      body: this.read(body, inside),
    })
  }

  #comprehension(
    macro: Macro,
    variableCount: number,
    receiver: Expr,
    args: readonly Expr[],
    locals: Locals,
  ): ComprehensionShape {
    const range = this.read(receiver, locals)
    const variables = args.slice(0, variableCount).map((arg) => this.#variable(arg))
    const inside = variables.reduce(withLocal, locals)
    const [first, second] = this.#all(args.slice(variableCount), inside) as [TemplateExpr, TemplateExpr?]
    return {
      kind: 'comprehension',
      macro,
      range,
      ...(variables.length === 2 && { keySlot: inside.get(variables[0]!)! }),
      itemSlot: inside.get(variables.at(-1)!)!,
      ...(second !== undefined && { filter: first }),
      body: second ?? first,
    }
  }

  #variable(expr: Expr): string {
    if (expr.kind === 'ident') return expr.name
    throw this.#problem(expr, 'the first argument of a macro must be a variable name')
  }

  #problem({ start }: Expr, message: string): TemplateError {
    return new TemplateError(message, this.#offset + start)
  }
}

// The path ends before the first computed step, which may select anything.
function reachOf(reference: Reference, steps: readonly ChainStep[]): Path {
  const path: PathStep[] = reference.kind === 'resource' ? [...reference.path] : []
  for (const { access } of steps) {
    const key = access.kind === 'fixed' ? access.key : access.kind === 'optional' ? keyOf(access.index) : undefined
    if (key === undefined) break
    path.push(typeof key === 'number' ? indexStep(key) : attributeStep(key))
  }
  return path
}

function keyOf(index: string | Expr): string | number | undefined {
  return typeof index === 'string' ? index : literalKey(index)
}

function isAccess(expr: Expr): boolean {
  return (expr.kind === 'select' && expr.mode === 'value') || (expr.kind === 'call' && expr.name === '_[_]')
}

function isWholeObject(resolved: TemplateExpr): boolean {
  if (resolved.kind !== 'reference' || resolved.reference.kind !== 'resource') return false
  return resolved.reference.path.length === 0 && resolved.reference.instance.kind === 'none'
}

// A variable that shadows an outer one gets its own slot.
function withLocal(locals: Locals, name: string): Locals {
  const inside = new Map(locals)
  inside.delete(name)
  return inside.set(name, Math.max(-1, ...locals.values()) + 1)
}

interface MacroForm {
  readonly macro: Macro
  /** The number of variables, by the number of arguments. */
  readonly variables: Readonly<Record<number, 1 | 2>>
}

const quantifier = { 2: 1, 3: 2 } as const
const macros: Readonly<Record<string, MacroForm>> = Object.assign(Object.create(null) as Record<string, MacroForm>, {
  all: { macro: 'all', variables: quantifier },
  exists: { macro: 'exists', variables: quantifier },
  exists_one: { macro: 'exists_one', variables: quantifier },
  existsOne: { macro: 'exists_one', variables: quantifier },
  map: { macro: 'map', variables: { 2: 1, 3: 1 } },
  filter: { macro: 'filter', variables: { 2: 1 } },
  transformList: { macro: 'map', variables: { 3: 2, 4: 2 } },
  transformMap: { macro: 'transformMap', variables: { 3: 2, 4: 2 } },
} satisfies Record<string, MacroForm>)
