import type { TemplateSyntax } from '../translate/check/template-syntax.ts'

/** A syntax that recognizes `${…}` without parsing its content; `$${` is an escape, and `${!…}` is an error. */
export const plainTemplates: TemplateSyntax = {
  holdsExpression: (text) => expression.test(unescaped(text)),
  isWhole: (text) => /^\$\{[^{}]*\}$/.test(text),
  problem: (text) => {
    const rest = unescaped(text)
    if (rest.includes('${!')) return 'the expression is wrong'
    return rest.replaceAll(new RegExp(expression, 'g'), '').includes('${') ? 'an expression does not end' : undefined
  },
}

const expression = /\$\{[^{}]*\}/

function unescaped(text: string): string {
  return text.replaceAll('$${', '')
}
