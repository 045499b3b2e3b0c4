import { parseExpression } from '../cel/parse.ts'
import { type Expr, partsOf, SyntaxFailure } from '../cel/syntax.ts'
import { foreignText } from './foreign-names.ts'
import { replaceSplats, splatField } from './splat.ts'
import { TemplateError } from './template.ts'

/** A part of an expression as it is read. Places are in the expression. */
export interface Node {
  readonly op: string
  readonly args: unknown
  readonly start: number
  readonly end: number
}

/** An expression as it was read. */
export interface Syntax {
  readonly root: Node
  /** Whether a selection was written as `[*]`. */
  readonly isSplat: (node: Node) => boolean
}

/** The longest expression, in UTF-16 units. */
export const longestExpression = 16_384

/** Reads an expression that stands at a place of a template. Throws TemplateError. */
export function readSyntax(source: string, offset: number): Syntax {
  if (source.length > longestExpression) {
    throw new TemplateError(`an expression may have ${longestExpression} characters`, offset)
  }
  const { text, ends } = replaceSplats(source)
  const root = parse(text, offset)
  return {
    root,
    isSplat: ({ op, args, end }) => op === '.' && (args as [Node, string])[1] === splatField && ends.has(end),
  }
}

function parse(text: string, offset: number): Node {
  try {
    const expr = parseExpression(text, { integers: 'any' })
    if (hasMoreParts(expr, mostParts)) throw new TooLarge()
    return nodeOf(expr)
  } catch (error) {
    if (error instanceof TooLarge) throw new TemplateError('the expression is too large', offset)
    if (!(error instanceof SyntaxFailure)) throw error
    const [problem] = error.problems
    throw new TemplateError(problemText(problem!.message), offset + problem!.at)
  }
}

/** The most parts that an expression may have. What nests binary operators is bounded by it, too. */
const mostParts = 2000

/** The most arguments that a function is given. */
const mostArguments = 16

class TooLarge extends Error {}

function hasMoreParts(expr: Expr, most: number): boolean {
  const waiting = [expr]
  for (let count = 0; waiting.length > 0; count++) {
    if (count >= most) return true
    waiting.push(...partsOf(waiting.pop()!))
  }
  return false
}

// The tree as it was written: selections, indexes and operators each have a sign.
function nodeOf(expr: Expr): Node {
  const { start, end } = expr
  const node = (op: string, args: unknown): Node => ({ op, args, start, end })
  switch (expr.kind) {
    case 'literal':
      return node('value', expr.value)
    case 'ident':
      return node('id', expr.name)
    case 'select':
      return node(expr.mode === 'optional' ? '.?' : '.', [nodeOf(expr.operand), expr.field])
    case 'list':
      return node('list', expr.elements.map(nodeOf))
    case 'map':
      return node(
        'map',
        expr.entries.map(({ key, value }) => [nodeOf(key), nodeOf(value)]),
      )
    case 'call':
      return callNode(expr, node)
    default:
      throw new SyntaxFailure([{ at: expr.at, message: 'messages can not be made here' }])
  }
}

function callNode({ name, target, args }: Expr & { kind: 'call' }, node: (op: string, args: unknown) => Node): Node {
  if (args.length > mostArguments) throw new TooLarge()
  if (target !== undefined) return node('rcall', [name, nodeOf(target), args.map(nodeOf)])
  const [first] = args
  switch (name) {
    case '_[_]':
      return node('[]', args.map(nodeOf))
    case '_[?_]':
      return node('[?]', args.map(nodeOf))
    case '_?_:_':
      return node('?:', args.map(nodeOf))
    case '!_':
    case '-_':
      return node(name, nodeOf(first!))
    case '@in':
      return node('in', args.map(nodeOf))
    default:
      return isOperator(name) ? node(name.slice(1, -1), args.map(nodeOf)) : node('call', [name, args.map(nodeOf)])
  }
}

function isOperator(name: string): boolean {
  return /^_[^\w]+_$/.test(name)
}

function problemText(text: string): string {
  if (text.startsWith('expression recursion limit')) return 'the expression is too large'
  // The language keeps this name for itself, so that it never comes to be a reference.
  if (text === 'reserved identifier: var') return foreignText('var')
  return `cannot read the expression: ${text.replace('Syntax error: ', '')}`
}
