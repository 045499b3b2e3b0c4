import { parseExpression } from '../../cel/syntax/parse.ts'
import { type Expr, partsOf, SyntaxFailure } from '../../cel/syntax/syntax.ts'
import { replaceSplats, splatField } from './splat.ts'
import { TemplateError } from './template.ts'
import { terraformNameText } from './terraform-names.ts'

/** A parsed expression, with macros still as calls. Offsets are relative to the expression. */
export interface ParsedExpression {
  readonly root: Expr
  /** Returns whether a selection was written as `[*]`. */
  readonly isSplat: (expr: Expr) => boolean
}

/** The maximum length of an expression, in UTF-16 units. */
export const maxExpressionLength = 16_384

/** Parses an expression at an offset of a template with CEL's grammar and `[*]`. Throws TemplateError. */
export function parseTemplateExpression(source: string, offset: number): ParsedExpression {
  if (source.length > maxExpressionLength)
    throw new TemplateError(`an expression may have at most ${maxExpressionLength} characters`, offset)
  const { text, ends } = replaceSplats(source)
  const root = parse(text, offset)
  return {
    root,
    isSplat: (expr) =>
      expr.kind === 'select' && expr.mode === 'value' && expr.field === splatField && ends.has(expr.end),
  }
}

function parse(text: string, offset: number): Expr {
  try {
    const expr = parseExpression(text, { integers: 'any' })
    if (isTooLarge(expr)) throw new TemplateError('the expression is too large', offset)
    return expr
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error
    const [problem] = error.problems
    throw new TemplateError(problemText(problem!.message), offset + problem!.at)
  }
}

// It also bounds the depth of chained binary operators, which the parser does not.
const maxNodes = 2000
const maxArguments = 16

function isTooLarge(root: Expr): boolean {
  const open = [root]
  for (let count = 0; open.length > 0; count++) {
    const expr = open.pop()!
    if (count >= maxNodes || (expr.kind === 'call' && expr.args.length > maxArguments)) return true
    if (expr.kind === 'message')
      throw new SyntaxFailure([{ at: expr.at, message: 'message literals are not supported' }])
    open.push(...partsOf(expr))
  }
  return false
}

function problemText(text: string): string {
  if (text.startsWith('expression recursion limit')) return 'the expression is too large'
  // CEL reserves `var`, so it never gets as far as a reference.
  if (text === 'reserved identifier: var') return terraformNameText('var')
  return `cannot parse the expression: ${text.replace('Syntax error: ', '')}`
}
