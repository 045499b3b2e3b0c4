import type { JsonValue } from '@hykube/machinery/json'
import { duplicateValue, forbiddenValue, invalidValue, requiredValue } from '@hykube/machinery/object'
import { type JsonSchema, type RuleValidator, rulesValidator, type ValidationRule } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'
import { EvaluationFailure } from './cel/evaluate/values.ts'
import { CostExceeded, Meter } from './meter.ts'
import { type CompiledRule, compileRulesOf, RuleVariables } from './rule-compiler.ts'
import { joinedPath, normalizedPath } from './rule-path.ts'
import { SchemaTypes } from './schema-types.ts'

/** Evaluates all rules of an object; `old` is the previous object of an update. */
export type ObjectRules = (object: JsonValue, old: JsonValue | undefined) => StatusCause[]

/** Compiles every rule of a resource's schema; undefined if it has none. */
export function objectRules(schema: JsonSchema): ObjectRules | undefined {
  let meter = new Meter()
  let types: SchemaTypes | undefined
  const validator = rulesValidator(schema, (rules, part) => {
    types ??= new SchemaTypes(schema, 'resource')
    return ruleValidator(rules, part, types, () => meter)
  })
  if (validator === undefined) return undefined
  return (object, old) => {
    meter = new Meter()
    return validator(object, old)
  }
}

function ruleValidator(
  rules: readonly ValidationRule[],
  schema: JsonSchema,
  types: SchemaTypes,
  meterOf: () => Meter,
): RuleValidator {
  const compiled = compileRulesOf(rules, schema, types)
  return (self, old, field, isUnchanged) => {
    const meter = meterOf()
    const causes: StatusCause[] = []
    const variables = new RuleVariables(self, old)
    for (const rule of compiled) {
      if (meter.remaining < 0) break
      if (rule.usesOldSelf && !variables.hasOld && rule.rule.optionalOldSelf !== true) continue
      const cause = checkRule(rule, variables.of(rule), meter, { self, schema, field })
      // Ratcheting: failures of unchanged values are dropped, except for transition rules, which use oldSelf.
      if (cause !== undefined && (rule.usesOldSelf || !isUnchanged())) causes.push(cause)
    }
    return causes
  }
}

interface Place {
  readonly self: JsonValue
  readonly schema: JsonSchema
  readonly field: string
}

function checkRule(
  compiled: CompiledRule,
  variables: Record<string, unknown>,
  meter: Meter,
  place: Place,
): StatusCause | undefined {
  const { rule, expression, failure } = compiled
  const { schema, field } = place
  const invalid = (detail: string) => invalidValue(field || '<nil>', schema.type ?? '', detail)
  if (failure !== undefined) return invalid(`rule compile error: ${failure}`)
  if (expression === undefined) return undefined
  try {
    const result = expression.evaluate(variables, meter)
    if (meter.remaining < 0) return invalid(outOfBudget)
    if (result === true) return undefined
    return ruleCause(rule, place, messageOf(compiled, variables, meter))
  } catch (error) {
    if (error instanceof CostExceeded) {
      const spent = meter.remaining < 0
      meter.remaining = -1
      return invalid(
        spent
          ? outOfBudget
          : `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(rule)}`,
      )
    }
    if (!(error instanceof EvaluationFailure)) throw error
    return invalid(
      error.message.startsWith('no such overload')
        ? `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(rule)}`
        : `${error.message} evaluating rule: ${ruleText(rule)}`,
    )
  }
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run'

// A message expression that fails, or whose result is empty, too long or several lines, is replaced by the message.
function messageOf({ rule, message }: CompiledRule, variables: Record<string, unknown>, meter: Meter): string {
  const fallback = rule.message?.trim() || `failed rule: ${rule.rule.trim()}`
  if (message === undefined) return fallback
  try {
    const text = message.evaluate(variables, meter)
    if (typeof text !== 'string') return fallback
    const trimmed = text.trim()
    return trimmed === '' || /[\n\r]/.test(trimmed) || trimmed.length > maxMessageLength ? fallback : trimmed
  } catch (error) {
    if (error instanceof EvaluationFailure || error instanceof CostExceeded) return fallback
    throw error
  }
}

// Kubernetes' limit of a message expression's result.
const maxMessageLength = 5120

function ruleCause({ reason, fieldPath }: ValidationRule, { self, schema, field }: Place, detail: string): StatusCause {
  const at = joinedPath(field, fieldPath === undefined ? '' : normalizedPath(fieldPath, schema))
  const isWhole = schema.type === 'object' || schema.type === 'array'
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenValue(at, detail)
    case 'FieldValueRequired':
      return requiredValue(at, detail)
    case 'FieldValueDuplicate':
      return isWhole ? { reason, message: 'Duplicate value', field: at } : duplicateValue(at, self)
    default:
      return isWhole
        ? { reason: 'FieldValueInvalid', message: `Invalid value: ${detail}`, field: at }
        : invalidValue(at, self, detail)
  }
}

function ruleText({ rule, message }: ValidationRule): string {
  return message?.trim() || rule.trim()
}
