import { skipQuoted } from './skip-quoted.ts'

/** A text with `${…}` in it, taken apart. */
export interface Template {
  readonly text: string
  readonly parts: readonly TemplatePart[]
}

export type TemplatePart =
  /** Text as it is meant: `$${` is `${` here. */
  | { readonly kind: 'literal'; readonly text: string }
  /** What stands between `${` and `}`, and from where to where in the text. */
  | { readonly kind: 'expression'; readonly source: string; readonly start: number; readonly end: number }

/** Why a text is not a template, and where. */
export class TemplateError extends Error {
  /** The place in the text, from 0 on. */
  readonly position: number

  constructor(message: string, position: number) {
    super(message)
    this.name = 'TemplateError'
    this.position = position
  }
}

/** The longest text that is taken for a template, in UTF-16 units. A longer one without `${` is just text. */
export const longestTemplate = 65_536

/** The most expressions that one text may hold. */
export const mostExpressions = 500

/** Takes a text apart. Throws TemplateError. */
export function parseTemplate(text: string): Template {
  if (!text.includes('${')) return { text, parts: text === '' ? [] : [{ kind: 'literal', text }] }
  if (text.length > longestTemplate) {
    throw new TemplateError(
      `a text with expressions may have ${longestTemplate} characters, and this has ${text.length}`,
      0,
    )
  }
  return { text, parts: partsOf(text) }
}

/** Whether a template is one expression and nothing else, so that it keeps the type of its value. */
export function isWholeExpression({ parts }: Template): boolean {
  return parts.length === 1 && parts[0]!.kind === 'expression'
}

/** Text that a template of these parts has. A literal that ends in `$` can't stand before an expression. */
export function templateToText(parts: readonly TemplatePart[]): string {
  return parts
    .map((part) => (part.kind === 'literal' ? part.text.replaceAll('${', () => '$${') : `\${${part.source}}`))
    .join('')
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
    if (parts.length > 2 * mostExpressions)
      throw new TemplateError(`a text may hold ${mostExpressions} expressions, and this has more`, next)
  }
  literal += text.slice(at)
  if (literal !== '') parts.push({ kind: 'literal', text: literal })
  return parts
}

// Braces of maps inside the expression come in pairs; those in strings and comments are no braces.
function endOfExpression(text: string, start: number): number {
  let open = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '{') open++
    else if (char === '}' && open-- === 0) return closed(text, start, at)
    else {
      const after = skipQuoted(text, at)
      if (after === undefined) throw new TemplateError('a string in the expression does not end', at)
      if (after > at) at = after - 1
    }
  }
  throw new TemplateError('the expression that begins with ${ does not end: a } is missing', start - 2)
}

function closed(text: string, start: number, end: number): number {
  if (text.slice(start, end).trim() === '') throw new TemplateError('there is no expression in ${}', start - 2)
  return end + 1
}
