import { compileTemplate } from './compile-template.ts'
import { isWholeExpression, parseTemplate, TemplateError } from './template.ts'

/** What those who store texts must know of templates. */
export interface TemplateSyntax {
  /** Whether the text holds a `${…}`, also one that can't be read. */
  holdsExpression(text: string): boolean
  /** Whether the text is one `${…}` and nothing else. */
  isWhole(text: string): boolean
  /** Why the text can't be read, with the place; undefined when it can. */
  problem(text: string): string | undefined
}

/** `${…}` in texts. */
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

/** An error of a template with the place as people count it. */
export function templateProblemText({ message, position }: TemplateError, text: string): string {
  const lines = text.slice(0, position).split('\n')
  const column = lines.at(-1)!.length + 1
  return lines.length === 1
    ? `${message} (at character ${column})`
    : `${message} (at line ${lines.length}, character ${column})`
}
