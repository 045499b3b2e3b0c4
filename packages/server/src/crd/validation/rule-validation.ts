import { invalidValue } from '@hykube/machinery/object'
import { additionalSchema, type JsonSchema, type ValidationRule } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'
import { type CompiledRule, compileRulesOf, SchemaTypes } from '../../expression/index.ts'

/** Compiles every rule of a schema and tells what is wrong with them. */
export function ruleProblems(schema: JsonSchema, path: string): StatusCause[] {
  let types: SchemaTypes | undefined
  const typesOf = () => {
    types ??= new SchemaTypes(schema, 'resource')
    return types
  }
  return nodeProblems(schema, path, typesOf, undefined)
}

// `uncorrelated` is the outermost place on the way whose parts can't be found again in an older object.
function nodeProblems(
  schema: JsonSchema,
  path: string,
  typesOf: () => SchemaTypes,
  uncorrelated: string | undefined,
): StatusCause[] {
  const rules = schema['x-kubernetes-validations'] ?? []
  const causes: StatusCause[] = []
  if (rules.length > 0) {
    const compiled = compileRulesOf(rules, schema, typesOf())
    for (const [index, rule] of compiled.entries()) {
      causes.push(...compiledProblems(rule, `${path}.x-kubernetes-validations[${index}]`, uncorrelated))
    }
  }
  const inFields = uncorrelated ?? (schema['x-kubernetes-map-type'] === 'atomic' ? path : undefined)
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    causes.push(...nodeProblems(property, `${path}.properties[${name}]`, typesOf, inFields))
  }
  const additional = additionalSchema(schema)
  if (additional !== undefined) {
    causes.push(...nodeProblems(additional, `${path}.additionalProperties`, typesOf, uncorrelated))
  }
  if (schema.items !== undefined) {
    const inItems = uncorrelated ?? (schema['x-kubernetes-list-type'] === 'map' ? undefined : path)
    causes.push(...nodeProblems(schema.items, `${path}.items`, typesOf, inItems))
  }
  return causes
}

function compiledProblems(compiled: CompiledRule, path: string, uncorrelated: string | undefined): StatusCause[] {
  const { rule, failure, messageFailure, usesOldSelf } = compiled
  const causes: StatusCause[] = []
  if (failure !== undefined) causes.push(ruleInvalid(`${path}.rule`, rule, failure))
  if (messageFailure !== undefined) causes.push(ruleInvalid(`${path}.messageExpression`, rule, messageFailure))
  if (usesOldSelf && uncorrelated !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`
    causes.push(invalidValue(`${path}.rule`, rule.rule, detail))
  }
  if (!usesOldSelf && failure === undefined && rule.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule'
    causes.push(invalidValue(`${path}.optionalOldSelf`, rule.optionalOldSelf, detail))
  }
  return causes
}

// Kubernetes prints the rule as Go prints its struct.
function ruleInvalid(field: string, rule: ValidationRule, detail: string): StatusCause {
  const { message = '', messageExpression = '', fieldPath = '' } = rule
  const quoted = (text: string) => JSON.stringify(text)
  const shown = `apiextensions.ValidationRule{Rule:${quoted(rule.rule)}, Message:${quoted(message)}, MessageExpression:${quoted(messageExpression)}, Reason:(*apiextensions.FieldValueErrorReason)(nil), FieldPath:${quoted(fieldPath)}, OptionalOldSelf:(*bool)(nil)}`
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${shown}: ${detail}`, field }
}
