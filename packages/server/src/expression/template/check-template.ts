import { stringType, type Type, typeToText } from '@hykube/tfplugin/value'
import { type CompiledTemplate, compileTemplate } from './compile-template.ts'
import { formulaType, type TemplateProblem } from './formula-type.ts'
import { isWholeExpression, type Template, TemplateError } from './template.ts'
import { canConvert } from './type-relations.ts'
import type { TypeScope } from './type-scope.ts'

/** What is wrong with a template in a place where a type is expected. What is not known yet is not wrong. */
export function checkTemplate(template: Template | string, expected: Type, scope: TypeScope): TemplateProblem[] {
  try {
    return checkCompiled(compileTemplate(template), expected, scope)
  } catch (error) {
    if (error instanceof TemplateError) return [{ message: error.message, position: error.position }]
    throw error
  }
}

/** What is wrong with a template that could be compiled. */
export function checkCompiled(compiled: CompiledTemplate, expected: Type, scope: TypeScope): TemplateProblem[] {
  const problems: TemplateProblem[] = []
  const { template, formulas } = compiled
  const isWhole = isWholeExpression(template)
  const types = formulas.map((formula) => formulaType(formula, scope, (problem) => problems.push(problem)))
  for (const [index, type] of types.entries()) {
    const wanted = isWhole ? expected : stringType
    if (canConvert(type, wanted)) continue
    const { start, end } = formulas[index]!
    const place = isWhole ? 'is expected here' : 'is needed inside a text'
    problems.push({
      message: `\${${template.text.slice(start, end)}} gives ${typeToText(type)}, and ${typeToText(wanted)} ${place}`,
      position: start,
    })
  }
  if (!isWhole && !canConvert(stringType, expected))
    problems.push({ message: `this gives a text, and ${typeToText(expected)} is expected here`, position: 0 })
  return problems
}

/** The type of what a template gives, as far as it is known before it is evaluated. */
export function templateType({ template, formulas }: CompiledTemplate, scope: TypeScope): Type {
  return isWholeExpression(template) ? formulaType(formulas[0]!, scope, () => {}) : stringType
}
