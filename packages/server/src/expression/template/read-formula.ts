import { attributeStep, Decimal, indexStep, type Path, type PathStep } from '@hykube/tfplugin/value'
import type { BinaryOperator, ComprehensionShape, Formula, FormulaShape, Macro } from './formula.ts'
import { isConstant } from './language.ts'
import { type Chain, type ChainStep, chainOf } from './read-chain.ts'
import { type ReadReference, readReference } from './read-reference.ts'
import { type Reference, referenceToText } from './reference.ts'
import { type Node, readSyntax, type Syntax } from './syntax.ts'
import { TemplateError } from './template.ts'

/** A reference and where it stands in the template. */
export interface PlacedReference {
  readonly reference: Reference
  /** The path below which the expression can read: the reference's own path and literal optional steps behind it. */
  readonly reach: Path
  readonly start: number
  readonly end: number
}

/** An expression that was read, with the references in it as they stand, left to right as far as they are not nested. */
export interface ReadExpression {
  readonly formula: Formula
  readonly references: readonly PlacedReference[]
}

/** Reads the expression that stands at a place of a template. Throws TemplateError with a place in the template. */
export function readExpression(source: string, offset: number): ReadExpression {
  const syntax = readSyntax(source, offset)
  const reader = new FormulaReader(syntax, source, offset)
  return { formula: reader.read(syntax.root, noLocals), references: reader.references }
}

type Locals = ReadonlyMap<string, number>
type Place = Pick<Node, 'start' | 'end'>

const noLocals: Locals = new Map()

class FormulaReader {
  readonly #syntax: Syntax
  readonly #source: string
  readonly #offset: number
  readonly references: PlacedReference[] = []
  readonly #known = new Map<string, Reference>()

  constructor(syntax: Syntax, source: string, offset: number) {
    this.#syntax = syntax
    this.#source = source
    this.#offset = offset
  }

  read(node: Node, locals: Locals): Formula {
    switch (node.op) {
      case 'value':
        return this.#at(node, { kind: 'literal', value: this.#literal(node) })
      case 'id':
      case '.':
      case '.?':
      case '[]':
      case '[?]':
        return this.#access(node, locals)
      case 'list':
        return this.#at(node, { kind: 'list', elements: this.#all(node.args as Node[], locals) })
      case 'map':
        return this.#at(node, {
          kind: 'map',
          entries: (node.args as [Node, Node][]).map(
            ([key, value]) => [this.read(key, locals), this.read(value, locals)] as const,
          ),
        })
      case '?:': {
        const [condition, whenTrue, whenFalse] = this.#all(node.args as Node[], locals) as [Formula, Formula, Formula]
        return this.#at(node, { kind: 'conditional', condition, whenTrue, whenFalse })
      }
      case '&&':
      case '||': {
        const [left, right] = this.#all(node.args as Node[], locals) as [Formula, Formula]
        return this.#at(node, { kind: node.op === '&&' ? 'and' : 'or', left, right })
      }
      case '!_':
        return this.#at(node, { kind: 'not', operand: this.read(node.args as Node, locals) })
      case '-_':
        return this.#at(node, { kind: 'negate', operand: this.read(node.args as Node, locals) })
      case 'call':
        return this.#call(node, locals)
      case 'rcall':
        return this.#method(node, locals)
      default:
        return this.#binary(node, locals)
    }
  }

  #binary(node: Node, locals: Locals): Formula {
    const [first, second] = node.args as [Node, Node]
    const left = this.read(first, locals)
    if (node.op === '-' && isWholeObject(left)) {
      const name = this.#source.slice(first.start, first.end)
      throw this.#problem(node, `nothing can be taken from ${name}; names with dashes are written as TYPE["NAME"]`)
    }
    return this.#at(node, {
      kind: 'binary',
      operator: node.op as BinaryOperator,
      left,
      right: this.read(second, locals),
    })
  }

  #at(node: Place, shape: FormulaShape): Formula {
    return { ...shape, start: this.#offset + node.start, end: this.#offset + node.end }
  }

  #all(nodes: readonly Node[], locals: Locals): Formula[] {
    return nodes.map((node) => this.read(node, locals))
  }

  // A number that neither an int nor a double holds stays a decimal: it may be passed on, but not computed with.
  #literal(node: Node): unknown {
    const value = node.args
    if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : Decimal.fromInteger(value)
    if (typeof value !== 'number') return value
    const exact = Decimal.parse(this.#source.slice(node.start, node.end).trim())
    return exact === undefined || Decimal.fromNumber(value)?.equals(exact) === true ? value : exact
  }

  #access(node: Node, locals: Locals): Formula {
    const chain = chainOf(node, this.#syntax)
    const { root, steps } = chain
    if (root.op !== 'id') return this.#follow(this.read(root, locals), steps, 0, locals)
    const name = root.args as string
    const slot = locals.get(name)
    if (slot !== undefined) return this.#follow(this.#at(root, { kind: 'local', name, slot }), steps, 0, locals)
    if (isConstant(name)) return this.#follow(this.#at(root, { kind: 'constant', name }), steps, 0, locals)
    return this.#reference(chain, locals)
  }

  #reference(chain: Chain, locals: Locals): Formula {
    const { reference: read, key, length } = this.#readReference(chain, locals)
    const node = length === 0 ? chain.root : chain.steps[length - 1]!.node
    const reference = this.#shared(read)
    this.references.push({
      reference,
      reach: reachOf(reference, chain.steps.slice(length)),
      start: this.#offset + chain.root.start,
      end: this.#offset + node.end,
    })
    const formula = this.#at(
      { start: chain.root.start, end: node.end },
      { kind: 'reference', reference, ...(key !== undefined && { key: this.read(key, locals) }) },
    )
    const depth = reference.kind === 'resource' && reference.instance.kind === 'all' ? 1 : 0
    return this.#follow(formula, chain.steps.slice(length), depth, locals)
  }

  #readReference(chain: Chain, locals: Locals): ReadReference {
    try {
      return readReference(chain, this.#syntax, (name) => locals.has(name))
    } catch (error) {
      if (error instanceof TemplateError) throw new TemplateError(error.message, this.#offset + error.position)
      throw error
    }
  }

  // Equal references are one object, so that whoever looks them up can tell them by it.
  #shared(reference: Reference): Reference {
    if (reference.kind === 'resource' && reference.instance.kind === 'dynamic') return reference
    const text = referenceToText(reference)
    const known = this.#known.get(text)
    if (known !== undefined) return known
    this.#known.set(text, reference)
    return reference
  }

  // Behind a [*] every further step is done to each element.
  #follow(operand: Formula, steps: readonly ChainStep[], depth: number, locals: Locals): Formula {
    let formula = operand
    for (const { node, access } of steps) {
      switch (access.kind) {
        case 'splat':
          formula = this.#at(node, { kind: 'splat', operand: formula, depth })
          depth++
          break
        case 'fixed': {
          const index = typeof access.key === 'string' ? access.key : this.read((node.args as [Node, Node])[1], locals)
          formula = this.#at(node, { kind: 'access', operand: formula, index, optional: false, depth })
          break
        }
        default: {
          const index = typeof access.index === 'string' ? access.index : this.read(access.index, locals)
          formula = this.#at(node, {
            kind: 'access',
            operand: formula,
            index,
            optional: access.kind === 'optional',
            depth,
          })
        }
      }
    }
    return formula
  }

  #call(node: Node, locals: Locals): Formula {
    const [name, args] = node.args as [string, Node[]]
    if (name === 'has') {
      const [operand] = this.#all(args, locals) as [Formula]
      if (!['.', '[]'].includes(args[0]!.op)) throw this.#problem(node, 'has() takes an attribute, as has(a.b)')
      return this.#at(node, { kind: 'has', operand })
    }
    return this.#at(node, { kind: 'call', name, isMethod: false, args: this.#all(args, locals) })
  }

  #method(node: Node, locals: Locals): Formula {
    const [name, receiver, args] = node.args as [string, Node, Node[]]
    const owner = receiver.op === 'id' ? (receiver.args as string) : undefined
    if (owner !== undefined && !locals.has(owner) && isConstant(owner)) {
      if (owner === 'cel' && name === 'bind') return this.#bind(node, args, locals)
      return this.#at(node, { kind: 'call', name, namespace: owner, isMethod: true, args: this.#all(args, locals) })
    }
    const macro = macros[name]
    const shape = macro?.arguments[args.length]
    if (macro !== undefined && shape !== undefined) {
      return this.#at(node, this.#comprehension(macro.macro, shape, receiver, args, locals))
    }
    return this.#at(node, { kind: 'call', name, isMethod: true, args: this.#all([receiver, ...args], locals) })
  }

  #bind(node: Node, args: readonly Node[], locals: Locals): Formula {
    const [variable, value, body] = args as [Node, Node, Node]
    const name = this.#variable(variable)
    const inside = withLocal(locals, name)
    return this.#at(node, {
      kind: 'bind',
      slot: inside.get(name)!,
      value: this.read(value, locals),
      body: this.read(body, inside),
    })
  }

  #comprehension(
    macro: Macro,
    shape: MacroArguments,
    receiver: Node,
    args: readonly Node[],
    locals: Locals,
  ): ComprehensionShape {
    const range = this.read(receiver, locals)
    const variables = args.slice(0, shape.variables).map((node) => this.#variable(node))
    const inside = variables.reduce(withLocal, locals)
    const [first, second] = args.slice(shape.variables).map((node) => this.read(node, inside)) as [Formula, Formula?]
    const slot = inside.get(variables[0]!)!
    return {
      kind: 'comprehension',
      macro,
      range,
      ...(variables.length === 2 && { keySlot: slot }),
      itemSlot: inside.get(variables.at(-1)!)!,
      ...(second !== undefined && { filter: first }),
      body: second ?? first,
    }
  }

  #variable(node: Node): string {
    if (node.op === 'id') return node.args as string
    throw this.#problem(node, 'a macro begins with a name for the element')
  }

  #problem(node: Node, message: string): TemplateError {
    return new TemplateError(message, this.#offset + node.start)
  }
}

// A computed step may lead anywhere, so that the reach ends before it.
function reachOf(reference: Reference, steps: readonly ChainStep[]): Path {
  const path: PathStep[] = reference.kind === 'resource' ? [...reference.path] : []
  for (const { access } of steps) {
    const key = access.kind === 'fixed' ? access.key : access.kind === 'optional' ? literalKey(access.index) : undefined
    if (key === undefined) break
    path.push(typeof key === 'number' ? indexStep(key) : attributeStep(key))
  }
  return path
}

function literalKey(index: string | Node): string | number | undefined {
  if (typeof index === 'string') return index
  if (index.op !== 'value') return undefined
  if (typeof index.args === 'bigint' && index.args >= 0n) return Number(index.args)
  return typeof index.args === 'string' ? index.args : undefined
}

function isWholeObject(formula: Formula): boolean {
  if (formula.kind !== 'reference' || formula.reference.kind !== 'resource') return false
  return formula.reference.path.length === 0 && formula.reference.instance.kind === 'none'
}

// A variable that has the name of an outer one takes a place of its own and hides it.
function withLocal(locals: Locals, name: string): Locals {
  const inside = new Map(locals)
  inside.delete(name)
  return inside.set(name, Math.max(-1, ...locals.values()) + 1)
}

interface MacroArguments {
  readonly variables: 1 | 2
}

interface MacroForm {
  readonly macro: Macro
  /** By the number of arguments. */
  readonly arguments: Readonly<Record<number, MacroArguments>>
}

const one: MacroArguments = { variables: 1 }
const two: MacroArguments = { variables: 2 }

const macros: Readonly<Record<string, MacroForm>> = Object.assign(Object.create(null) as Record<string, MacroForm>, {
  all: { macro: 'all', arguments: { 2: one, 3: two } },
  exists: { macro: 'exists', arguments: { 2: one, 3: two } },
  exists_one: { macro: 'exists_one', arguments: { 2: one, 3: two } },
  existsOne: { macro: 'exists_one', arguments: { 2: one, 3: two } },
  map: { macro: 'map', arguments: { 2: one, 3: one } },
  filter: { macro: 'filter', arguments: { 2: one } },
  transformList: { macro: 'map', arguments: { 3: two, 4: two } },
  transformMap: { macro: 'transformMap', arguments: { 3: two, 4: two } },
} satisfies Record<string, MacroForm>)
