import { compileTemplate } from './evaluate/compile-template.ts'
import { isWholeExpression, parseTemplate, TemplateError } from './syntax/template.ts'

/** Recognizes expressions in strings, for rooms that store strings without evaluating them. */
export interface TemplateSyntax {
  /** Returns whether the string contains `${…}`, also a malformed one. */
  holdsExpression(text: string): boolean
  /** Returns whether the string is a single `${…}` without text around it. */
  isWhole(text: string): boolean
  /** The syntax error with its position; undefined if there is none. */
  problem(text: string): string | undefined
}

/** The syntax of `${…}`. */
export const templateSyntax: TemplateSyntax = {
  holdsExpression(text) {
    for (let at = text.indexOf('${'); at >= 0; at = text.indexOf('${', at + 2)) {
      if (text[at - 1] !== '$') return true
    }
    return false
  },
  isWhole(text) {
    if (!text.startsWith('${') || !text.endsWith('}')) return false
    try {
      return isWholeExpression(parseTemplate(text))
    } catch (error) {
      if (error instanceof TemplateError) return false
      throw error
    }
  },
  problem(text) {
    if (!text.includes('${')) return undefined
    try {
      compileTemplate(text)
      return undefined
    } catch (error) {
      if (error instanceof TemplateError) return templateProblemText(error, text)
      throw error
    }
  },
}

/** Formats a template error with its line and column, counted from 1. */
export function templateProblemText({ message, position }: TemplateError, text: string): string {
  const lines = text.slice(0, position).split('\n')
  const column = lines.at(-1)!.length + 1
  return lines.length === 1
    ? `${message} (at character ${column})`
    : `${message} (at line ${lines.length}, character ${column})`
}
