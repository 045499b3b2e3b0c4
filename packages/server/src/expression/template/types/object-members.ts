import { dynamicType, type Type } from '@hykube/tfplugin/value'
import type { TemplateExpr } from '../syntax/template-expr.ts'
import type { TemplateProblem } from './expr-type.ts'
import { noAttributeText } from './path-type.ts'

/**
 * Reports members of objects built in an expression that the expected type does not have. The conversion would drop them, as it drops
 * further attributes of a referenced object, and a misspelled name would become null.
 */
export function unknownMembers(expr: TemplateExpr, expected: Type): TemplateProblem[] {
  switch (expr.kind) {
    case 'list':
      return expr.elements.flatMap((element, index) => unknownMembers(element, elementAt(expected, index)))
    case 'map':
      return expr.entries.flatMap((entry) => unknownMember(entry, expected))
    case 'conditional':
      return [...unknownMembers(expr.whenTrue, expected), ...unknownMembers(expr.whenFalse, expected)]
    case 'bind':
      return unknownMembers(expr.body, expected)
    case 'comprehension':
      return expr.macro === 'map' || expr.macro === 'transformMap'
        ? unknownMembers(expr.body, elementAt(expected, 0))
        : []
    default:
      return []
  }
}

function unknownMember([key, value]: readonly [TemplateExpr, TemplateExpr], expected: Type): TemplateProblem[] {
  if (expected.kind === 'map') return unknownMembers(value, expected.element)
  if (expected.kind !== 'object' || key.kind !== 'literal') return []
  const name = String(key.value)
  const type = expected.attributes.get(name)
  if (type !== undefined) return unknownMembers(value, type)
  return [{ message: noAttributeText(name, expected.attributes.keys()), position: key.start }]
}

function elementAt(type: Type, index: number): Type {
  if (type.kind === 'list' || type.kind === 'set' || type.kind === 'map') return type.element
  return type.kind === 'tuple' ? (type.elements[index] ?? dynamicType) : dynamicType
}
