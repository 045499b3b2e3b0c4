import { compareUtf8 } from '../base/index.ts'
import { invalidValue, labelKeyProblems, labelValueProblems, unsupportedValue } from '../object/index.ts'
import type { StatusCause } from '../status/index.ts'

/** The operators of label selectors; `exists` and `!` take no values. */
export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'gt' | 'lt' | 'exists' | '!'

/** One condition on one label. */
export interface LabelRequirement {
  readonly key: string
  readonly operator: LabelOperator
  readonly values: readonly string[]
}

/** The labels of an object. */
export type Labels = Readonly<Record<string, string>>

/** Validates a requirement and returns the message of Kubernetes' parser; undefined when it is valid. */
export function requirementProblem({ key, operator, values }: LabelRequirement): string | undefined {
  const causes: StatusCause[] = []
  const keyProblems = labelKeyProblems(key)
  if (keyProblems.length > 0) causes.push(invalidValue('key', key, keyProblems.join('; ')))
  causes.push(...validateValueCount(operator, values))
  for (const [index, value] of values.entries()) {
    const problems = labelValueProblems(value)
    if (problems.length > 0) causes.push(invalidValue(`values[${index}][${key}]`, value, problems.join('; ')))
  }
  const messages = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))]
  return messages.length > 1 ? `[${messages.join(', ')}]` : messages[0]
}

/** Evaluates a requirement. An absent label satisfies `!=` and `notin`, as in Kubernetes. */
export function meetsRequirement(labels: Labels | null | undefined, requirement: LabelRequirement): boolean {
  const { key, operator, values } = requirement
  const value = labels && Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case 'in':
    case '=':
    case '==':
      return value !== undefined && values.includes(value)
    case 'notin':
    case '!=':
      return value === undefined || !values.includes(value)
    case 'exists':
      return value !== undefined
    case '!':
      return value === undefined
    case 'gt':
    case 'lt':
      return value !== undefined && comparesAs(operator, value, values[0])
    default:
      return operator satisfies never
  }
}

/** Formats a requirement in the syntax of the parser. */
export function requirementToText({ key, operator, values }: LabelRequirement): string {
  const list = [...values].sort(compareUtf8).join(',')
  switch (operator) {
    case 'in':
    case 'notin':
      return `${key} ${operator} (${list})`
    case '=':
    case '==':
    case '!=':
      return `${key}${operator}${list}`
    case 'gt':
      return `${key}>${list}`
    case 'lt':
      return `${key}<${list}`
    case 'exists':
      return key
    case '!':
      return `!${key}`
    default:
      return operator satisfies never
  }
}

function validateValueCount(operator: LabelOperator, values: readonly string[]): StatusCause[] {
  switch (operator) {
    case 'in':
    case 'notin':
      if (values.length > 0) return []
      return [invalidValue('values', values, "for 'in', 'notin' operators, values set can't be empty")]
    case '=':
    case '==':
    case '!=':
      if (values.length === 1) return []
      return [invalidValue('values', values, 'exact-match compatibility requires one single value')]
    case 'exists':
    case '!':
      if (values.length === 0) return []
      return [invalidValue('values', values, 'values set must be empty for exists and does not exist')]
    case 'gt':
    case 'lt':
      return validateIntegers(values)
    default:
      return [unsupportedValue('operator', operator satisfies never, operators)]
  }
}

const operators = ['in', 'notin', '=', '==', '!=', 'gt', 'lt', 'exists', '!'] as const

function validateIntegers(values: readonly string[]): StatusCause[] {
  const causes: StatusCause[] = []
  if (values.length !== 1) {
    causes.push(invalidValue('values', values, "for 'Gt', 'Lt' operators, exactly one value is required"))
  }
  for (const [index, value] of values.entries()) {
    if (int64(value) === undefined) {
      causes.push(invalidValue(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"))
    }
  }
  return causes
}

function comparesAs(operator: 'gt' | 'lt', value: string, bound: string | undefined): boolean {
  const left = int64(value)
  const right = int64(bound ?? '')
  if (left === undefined || right === undefined) return false
  return operator === 'gt' ? left > right : left < right
}

function int64(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,30}$/.test(text)) return undefined
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, value) === value ? value : undefined
}
