import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '@hykube/machinery/object'
import { additionalSchema, type JsonSchema, validateStructuralSchema } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'
import { defaultProblems } from './default-validation.ts'
import { fieldAt } from './field-path.ts'
import { ruleProblems } from './rule-validation.ts'

/**
 * Validates the schema of a version: it must be structural, its defaults valid, and its rules must compile within the
 * cost limits. A schema that was accepted before is not rejected for the cost of its rules.
 */
export function validateSchema(schema: JsonSchema, path: string, wasAccepted = false): StatusCause[] {
  const structural = validateStructuralSchema(schema, path)
  const defaults = structural.length === 0 ? defaultProblems(schema, path) : []
  const nodes = nodeProblems(schema, path, { isRoot: true, noDefaults: undefined, insideMeta: false })
  const causes = [...structural, ...defaults, ...nodes]
  // Rules can't be checked against an invalid schema.
  return causes.length > 0 ? causes : ruleProblems(schema, path, wasAccepted)
}

interface Surroundings {
  readonly isRoot: boolean
  /** Reason why defaults are forbidden here. */
  readonly noDefaults: string | undefined
  readonly insideMeta: boolean
}

const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const

function nodeProblems(schema: JsonSchema, path: string, around: Surroundings): StatusCause[] {
  const causes: StatusCause[] = []
  const fields = schema as Readonly<Record<string, unknown>>
  if (schema.default !== undefined && around.noDefaults !== undefined) {
    causes.push(forbiddenValue(`${path}.default`, `must not be set ${around.noDefaults}`))
  }
  for (const name of unsupported) {
    if (fields[name] !== undefined) causes.push(forbiddenValue(`${path}.${name}`, `${name} is not supported`))
  }
  if (Array.isArray(schema.items)) {
    causes.push(forbiddenValue(`${path}.items`, 'items must be a schema object and not an array'))
  }
  if (around.insideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    causes.push(forbiddenValue(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'))
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    causes.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'))
  }
  causes.push(...mapTypeProblems(schema, path), ...setProblems(schema, path), ...ruleFieldProblems(schema, path))
  return [...causes, ...innerProblems(schema, path, around)]
}

const metaFields = new Set(['metadata', 'kind', 'apiVersion'])

function innerProblems(schema: JsonSchema, path: string, around: Surroundings): StatusCause[] {
  const causes: StatusCause[] = []
  const inner: Surroundings = { ...around, isRoot: false }
  const isResource = around.isRoot || schema['x-kubernetes-embedded-resource'] === true
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isMeta = isResource && metaFields.has(name)
    const noDefaults = isMeta && around.isRoot ? `in top-level ${name}` : around.noDefaults
    const surroundings = { isRoot: false, noDefaults, insideMeta: around.insideMeta || isMeta }
    causes.push(...nodeProblems(property, `${path}.properties[${name}]`, surroundings))
  }
  const additional = additionalSchema(schema)
  if (additional !== undefined) {
    const noDefaults = around.insideMeta ? 'inside additionalProperties applying to object metadata' : around.noDefaults
    causes.push(...nodeProblems(additional, `${path}.additionalProperties`, { ...inner, noDefaults }))
  }
  if (schema.items !== undefined) causes.push(...nodeProblems(schema.items, `${path}.items`, inner))
  return causes
}

function mapTypeProblems(schema: JsonSchema, path: string): StatusCause[] {
  const mapType = schema['x-kubernetes-map-type']
  if (mapType === undefined) return []
  const causes: StatusCause[] = []
  const detail = 'must be object if x-kubernetes-map-type is specified'
  if (schema.type === undefined) causes.push(requiredValue(`${path}.type`, detail))
  else if (schema.type !== 'object') causes.push(invalidValue(`${path}.type`, schema.type, detail))
  if (mapType !== 'atomic' && mapType !== 'granular') {
    causes.push(unsupportedValue(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']))
  }
  return causes
}

function setProblems(schema: JsonSchema, path: string): StatusCause[] {
  const listType = schema['x-kubernetes-list-type']
  const { items } = schema
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return []
  const causes: StatusCause[] = []
  if (items.nullable === true) {
    causes.push(
      forbiddenValue(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`),
    )
  }
  if (listType !== 'set') return causes
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  const itemListType = items['x-kubernetes-list-type']
  if (items.type === 'array' && itemListType !== undefined && itemListType !== 'atomic') {
    causes.push(invalidValue(`${path}.items.x-kubernetes-list-type`, itemListType, detail))
  }
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    causes.push(invalidValue(`${path}.items.x-kubernetes-map-type`, items['x-kubernetes-map-type'], detail))
  }
  return causes
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

function ruleFieldProblems(schema: JsonSchema, path: string): StatusCause[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const field = `${path}.x-kubernetes-validations[${index}]`
    const { message = '', messageExpression = '', reason, fieldPath = '' } = rule
    const text = (rule.rule ?? '').trim()
    const causes: StatusCause[] = []
    if (text === '') causes.push(requiredValue(`${field}.rule`, 'rule is not specified'))
    else if (message !== '' && message.trim() === '') {
      causes.push(invalidValue(`${field}.message`, message, 'must be non-empty if specified'))
    } else if (/[\n\r]/.test(message.trim())) {
      causes.push(invalidValue(`${field}.message`, message, 'must not contain line breaks'))
    } else if (/[\n\r]/.test(text) && message.trim() === '') {
      causes.push(requiredValue(`${field}.message`, 'message must be specified if rule contains line breaks'))
    }
    if (messageExpression !== '' && messageExpression.trim() === '') {
      causes.push(requiredValue(`${field}.messageExpression`, 'messageExpression must be non-empty if specified'))
    }
    if (reason !== undefined && !reasons.includes(reason)) {
      causes.push(unsupportedValue(`${field}.reason`, reason, reasons))
    }
    if (fieldPath !== '' && fieldPath.trim() === '') {
      causes.push(invalidValue(`${field}.fieldPath`, fieldPath, 'must be non-empty if specified'))
    }
    if (/[\n\r]/.test(fieldPath)) {
      causes.push(invalidValue(`${field}.fieldPath`, fieldPath, 'must not contain line breaks'))
    }
    if (fieldPath !== '' && fieldAt(schema, fieldPath).kind === 'wrong') {
      causes.push(invalidValue(`${field}.fieldPath`, fieldPath, 'must be a valid path'))
    }
    return causes
  })
}
