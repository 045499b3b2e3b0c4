import { stringType, type Type, typeToText } from '@hykube/tfplugin/value'
import type { CompiledTemplate } from '../evaluate/compile-template.ts'
import { isWholeExpression } from '../syntax/template.ts'
import { exprType, type TemplateProblem } from './expr-type.ts'
import { unknownMembers } from './object-members.ts'
import { canConvert } from './type-relations.ts'
import type { TypeScope } from './type-scope.ts'

/** Type-checks a template against the expected type. Unknown types are accepted. */
export function checkCompiled(compiled: CompiledTemplate, expected: Type, scope: TypeScope): TemplateProblem[] {
  const problems: TemplateProblem[] = []
  const { template, exprs } = compiled
  const isWhole = isWholeExpression(template)
  const types = exprs.map((expr) => exprType(expr, scope, (problem) => problems.push(problem)))
  for (const [index, type] of types.entries()) {
    const wanted = isWhole ? expected : stringType
    if (canConvert(type, wanted)) {
      if (isWhole) problems.push(...unknownMembers(exprs[index]!, wanted))
      continue
    }
    const { start, end } = exprs[index]!
    const place = isWhole ? 'is expected here' : 'is required inside a string'
    problems.push({
      message: `\${${template.text.slice(start, end)}} is ${typeToText(type)}, but ${typeToText(wanted)} ${place}`,
      position: start,
    })
  }
  if (!isWhole && !canConvert(stringType, expected))
    problems.push({ message: `this is a string, but ${typeToText(expected)} is expected here`, position: 0 })
  return problems
}
