import { invalidValue } from '@hykube/machinery/object'
import { additionalSchema, type JsonSchema, type ValidationRule } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'
import { type CompiledRule, compileRulesOf, maxOccurrences, SchemaTypes } from '../../expression/index.ts'
import { elementOccurrences, type MaxOccurrences, RuleCosts } from './rule-cost.ts'

/**
 * Compiles every CEL rule of a schema and returns errors for invalid and too expensive ones. A schema that was accepted
 * before is not rejected for the cost of a single rule.
 */
export function ruleProblems(schema: JsonSchema, path: string, wasAccepted: boolean): StatusCause[] {
  const types = new SchemaTypes(schema, 'resource')
  const costs = new RuleCosts(!wasAccepted)
  const causes = nodeProblems(schema, { path, types, costs, times: 1, uncorrelated: undefined })
  return [...causes, ...costs.problems(path)]
}

interface Place {
  readonly path: string
  readonly types: SchemaTypes
  readonly costs: RuleCosts
  readonly times: MaxOccurrences
  /**
   * Outermost ancestor whose elements can't be matched with those of the old object, so that oldSelf is undefined below
   * it.
   */
  readonly uncorrelated: string | undefined
}

function nodeProblems(schema: JsonSchema, place: Place): StatusCause[] {
  const { path, uncorrelated } = place
  const causes: StatusCause[] = []
  const times = elementOccurrences(schema, place.times)
  const inside = (part: JsonSchema, name: string, correlation: string | undefined) =>
    causes.push(...nodeProblems(part, { ...place, path: `${path}.${name}`, times, uncorrelated: correlation }))
  const additional = additionalSchema(schema)
  if (additional !== undefined) inside(additional, 'additionalProperties', uncorrelated)
  const inFields = uncorrelated ?? (schema['x-kubernetes-map-type'] === 'atomic' ? path : undefined)
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    inside(property, `properties[${name}]`, inFields)
  }
  if (schema.items !== undefined) {
    inside(schema.items, 'items', uncorrelated ?? (schema['x-kubernetes-list-type'] === 'map' ? undefined : path))
  }
  return [...causes, ...ownProblems(schema, place)]
}

function ownProblems(schema: JsonSchema, place: Place): StatusCause[] {
  const rules = schema['x-kubernetes-validations'] ?? []
  if (rules.length === 0) return []
  return compileRulesOf(rules, schema, place.types).flatMap((rule, index) =>
    compiledProblems(rule, `${place.path}.x-kubernetes-validations[${index}]`, place),
  )
}

function compiledProblems(compiled: CompiledRule, path: string, { costs, times, uncorrelated }: Place): StatusCause[] {
  const { rule, failure, messageFailure, usesOldSelf, type } = compiled
  const often = times ?? (type === undefined ? 1 : maxOccurrences(type.sizes))
  const causes = costs.add(`${path}.rule`, 'rule', compiled.cost * often)
  if (failure !== undefined) causes.push(ruleInvalid(`${path}.rule`, rule, failure))
  if (messageFailure !== undefined) causes.push(ruleInvalid(`${path}.messageExpression`, rule, messageFailure))
  if (compiled.message !== undefined) {
    causes.push(...costs.add(`${path}.messageExpression`, 'messageExpression', compiled.messageCost))
  }
  if (usesOldSelf && uncorrelated !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`
    causes.push(invalidValue(`${path}.rule`, rule.rule, detail))
  }
  if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule'
    causes.push(invalidValue(`${path}.optionalOldSelf`, rule.optionalOldSelf, detail))
  }
  return causes
}

// Kubernetes prints the rule with its Go field names.
function ruleInvalid(field: string, rule: ValidationRule, detail: string): StatusCause {
  const { message = '', messageExpression = '', fieldPath = '', reason = null, optionalOldSelf = null } = rule
  const shown = {
    Rule: rule.rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf,
  }
  return invalidValue(field, shown, detail)
}
