import { isObject, listOf, objectOf, textOf, textsOf } from '../untyped.ts'

/** Returns true if labels satisfy a LabelSelector; an empty one selects everything, one with an unknown operator nothing. */
export function selectsLabels(selector: unknown, labels: Readonly<Record<string, unknown>>): boolean {
  const { matchLabels, matchExpressions } = objectOf(selector)
  return (
    Object.entries(objectOf(matchLabels)).every(([key, value]) => labels[key] === value) &&
    listOf(matchExpressions)
      .filter(isObject)
      .every((expression) => holds(expression, labels))
  )
}

function holds(expression: Readonly<Record<string, unknown>>, labels: Readonly<Record<string, unknown>>): boolean {
  const value = labels[textOf(expression.key)]
  const values = textsOf(expression.values)
  switch (expression.operator) {
    case 'In':
      return typeof value === 'string' && values.includes(value)
    case 'NotIn':
      return typeof value !== 'string' || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    default:
      return false
  }
}
