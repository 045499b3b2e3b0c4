import { skipQuoted } from './skip-quoted.ts'

/** A string split into literals and `${…}` expressions. */
export interface Template {
  readonly text: string
  readonly parts: readonly TemplatePart[]
}

export type TemplatePart =
  /** Literal text, unescaped: `$${` has become `${`. */
  | { readonly kind: 'literal'; readonly text: string }
  /** The source between `${` and `}`, and its offsets in the text. */
  | { readonly kind: 'expression'; readonly source: string; readonly start: number; readonly end: number }

/** A syntax error of a template. */
export class TemplateError extends Error {
  /** The offset in the text, from 0. */
  readonly position: number

  constructor(message: string, position: number) {
    super(message)
    this.name = 'TemplateError'
    this.position = position
  }
}

/** The maximum length of a string with expressions, in UTF-16 units. Strings without `${` have no limit. */
export const maxTemplateLength = 65_536

/** The maximum number of expressions in one string. */
export const maxExpressions = 500

/** Parses a template. Throws TemplateError. */
export function parseTemplate(text: string): Template {
  if (!text.includes('${')) return { text, parts: text === '' ? [] : [{ kind: 'literal', text }] }
  if (text.length > maxTemplateLength) {
    throw new TemplateError(
      `a string with expressions may have at most ${maxTemplateLength} characters, not ${text.length}`,
      0,
    )
  }
  return { text, parts: partsOf(text) }
}

/** Returns whether a template is a single expression without text around it, which keeps the type of its value. */
export function isWholeExpression({ parts }: Template): boolean {
  return parts.length === 1 && parts[0]!.kind === 'expression'
}

function partsOf(text: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let literal = ''
  let at = 0
  for (let next = text.indexOf('${'); next >= 0; next = text.indexOf('${', at)) {
    if (next > at && text[next - 1] === '$') {
      literal += `${text.slice(at, next - 1)}\${`
      at = next + 2
      continue
    }
    literal += text.slice(at, next)
    if (literal !== '') parts.push({ kind: 'literal', text: literal })
    literal = ''
    at = endOfExpression(text, next + 2)
    parts.push({ kind: 'expression', source: text.slice(next + 2, at - 1), start: next + 2, end: at - 1 })
    if (parts.length > 2 * maxExpressions)
      throw new TemplateError(`a string may contain at most ${maxExpressions} expressions`, next)
  }
  literal += text.slice(at)
  if (literal !== '') parts.push({ kind: 'literal', text: literal })
  return parts
}

// Counts the braces of map literals; braces in strings and comments are skipped.
function endOfExpression(text: string, start: number): number {
  let open = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '{') open++
    else if (char === '}' && open-- === 0) return closed(text, start, at)
    else {
      const after = skipQuoted(text, at)
      if (after === undefined) throw new TemplateError('a string in the expression is not terminated', at)
      if (after > at) at = after - 1
    }
  }
  throw new TemplateError('the expression is not terminated: a } is missing', start - 2)
}

function closed(text: string, start: number, end: number): number {
  if (text.slice(start, end).trim() === '') throw new TemplateError('there is no expression in ${}', start - 2)
  return end + 1
}
