import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../object/index.ts'
import type { StatusCause } from '../status/index.ts'
import { additionalSchema, type JsonSchema } from './json-schema.ts'
import { goPattern } from './validate.ts'

/**
 * Checks that a schema is structural and returns Kubernetes' messages. In a structural schema every value has a declared
 * type, and allOf, anyOf, oneOf and not only restrict fields that are declared outside of them.
 */
export function validateStructuralSchema(schema: JsonSchema, path: string): StatusCause[] {
  return [...nodeProblems(schema, path, 'root'), ...metadataProblems(schema, path)]
}

type Level = 'root' | 'item' | 'field'

function nodeProblems(schema: JsonSchema, path: string, level: Level): StatusCause[] {
  const causes = [
    ...typeProblems(schema, path, level),
    ...extensionProblems(schema, path),
    ...listTypeProblems(schema, path),
    ...patternProblems(schema, path),
    ...restrictionProblems(schema, path),
  ]
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    causes.push(...nodeProblems(property, `${path}.properties[${name}]`, 'field'))
  }
  const additional = additionalSchema(schema)
  if (additional !== undefined) causes.push(...nodeProblems(additional, `${path}.additionalProperties`, 'field'))
  if (schema.items !== undefined) causes.push(...nodeProblems(schema.items, `${path}.items`, 'item'))
  return causes
}

const emptyTypes: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']

// A type is required everywhere, except for int-or-string and for values that keep unknown fields.
function typeProblems(schema: JsonSchema, path: string, level: Level): StatusCause[] {
  const causes: StatusCause[] = []
  const { type = '' } = schema
  const isOpen =
    schema['x-kubernetes-preserve-unknown-fields'] === true || schema['x-kubernetes-int-or-string'] === true
  if (type === '') {
    if (schema['x-kubernetes-embedded-resource'] === true) {
      causes.push(requiredValue(`${path}.type`, 'must be object if x-kubernetes-embedded-resource is true'))
    } else if (!isOpen || level === 'root') causes.push(requiredValue(`${path}.type`, emptyTypes[level]))
  } else if (!types.includes(type)) causes.push(unsupportedValue(`${path}.type`, type, types))
  else if (level === 'root' && type !== 'object') {
    causes.push(invalidValue(`${path}.type`, type, 'must be object at the root'))
  }
  if (type === 'array' && schema.items === undefined) causes.push(requiredValue(`${path}.items`, 'must be specified'))
  const hasAdditional = schema.additionalProperties !== undefined
  if (hasAdditional && level === 'root') {
    causes.push(forbiddenValue(`${path}.additionalProperties`, 'must not be used at the root'))
  }
  if (schema.additionalProperties === false) {
    causes.push(forbiddenValue(`${path}.additionalProperties`, 'additionalProperties cannot be set to false'))
  }
  // `true` next to properties only means that unknown fields are kept.
  const isClosed = hasAdditional && schema.additionalProperties !== true
  if (isClosed && Object.keys(schema.properties ?? {}).length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive'
    causes.push(forbiddenValue(`${path}.additionalProperties`, detail))
  }
  if (schema.uniqueItems === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    causes.push(forbiddenValue(`${path}.uniqueItems`, detail))
  }
  return causes
}

function extensionProblems(schema: JsonSchema, path: string): StatusCause[] {
  const causes: StatusCause[] = []
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const keepsAll = schema['x-kubernetes-preserve-unknown-fields'] === true
  if (isEmbedded && schema.type !== undefined && schema.type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true'
    causes.push(invalidValue(`${path}.type`, schema.type, detail))
  }
  if (isEmbedded && schema.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set'
    causes.push(forbiddenValue(`${path}.additionalProperties`, detail))
  }
  if (isEmbedded && !keepsAll && Object.keys(schema.properties ?? {}).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    causes.push(requiredValue(`${path}.properties`, detail))
  }
  if (schema['x-kubernetes-int-or-string'] === true) {
    for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
      if (schema[name] === true) {
        causes.push(invalidValue(`${path}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'))
      }
    }
  }
  return causes
}

function listTypeProblems(schema: JsonSchema, path: string): StatusCause[] {
  const listType = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const causes: StatusCause[] = []
  if (listType !== undefined && schema.type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified'
    causes.push(
      schema.type === undefined
        ? requiredValue(`${path}.type`, detail)
        : invalidValue(`${path}.type`, schema.type, detail),
    )
  }
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    causes.push(unsupportedValue(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']))
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty'
    const field = `${path}.x-kubernetes-list-type`
    causes.push(listType === undefined ? requiredValue(field, detail) : invalidValue(field, listType, detail))
  }
  return listType === 'map' ? [...causes, ...mapKeyProblems(schema, keys, path)] : causes
}

// Every key of a map list must always have a value, or items could not be identified.
function mapKeyProblems(schema: JsonSchema, keys: readonly string[], path: string): StatusCause[] {
  const field = `${path}.x-kubernetes-list-map-keys`
  if (keys.length === 0) return [requiredValue(field, 'must not be empty if x-kubernetes-list-type is map')]
  const { items } = schema
  if (items === undefined)
    return [requiredValue(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')]
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map"
    return [invalidValue(`${path}.items.type`, items.type ?? '', detail)]
  }
  const causes: StatusCause[] = []
  if (new Set(keys).size < keys.length) causes.push(invalidValue(field, keys, 'must not contain duplicate entries'))
  for (const key of keys) {
    const property = items.properties?.[key]
    const place = `${path}.items.properties[${key}]`
    if (property === undefined) causes.push(invalidValue(field, keys, 'entries must all be names of item properties'))
    else if (property.default === undefined && items.required?.includes(key) !== true) {
      const detail =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
      causes.push(requiredValue(`${place}.default`, detail))
    } else if (property.nullable === true) {
      const detail = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'
      causes.push(forbiddenValue(`${place}.nullable`, detail))
    }
  }
  return causes
}

function patternProblems(schema: JsonSchema, path: string): StatusCause[] {
  const { pattern } = schema
  if (pattern === undefined || goPattern(pattern) !== undefined) return []
  return [invalidValue(`${path}.pattern`, pattern, "must be a valid regular expression, but isn't")]
}

// The parts of allOf, anyOf, oneOf and not may restrict values, but not declare types or fields that the schema lacks.
function restrictionProblems(schema: JsonSchema, path: string): StatusCause[] {
  const parts: [string, JsonSchema][] = []
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, part] of (schema[name] ?? []).entries()) parts.push([`${path}.${name}[${index}]`, part])
  }
  if (schema.not !== undefined) parts.push([`${path}.not`, schema.not])
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true
  return parts.flatMap(([place, part]) => nestedProblems(part, place, schema, path, isIntOrString))
}

const mustBeEmpty = ['type', 'title', 'description', 'x-kubernetes-list-map-keys', 'x-kubernetes-validations'] as const
const mustBeUndefined = ['additionalProperties', 'default', 'x-kubernetes-list-type', 'x-kubernetes-map-type'] as const
const mustBeFalse = [
  'nullable',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
] as const

function nestedProblems(
  part: JsonSchema,
  place: string,
  skeleton: JsonSchema,
  path: string,
  allowsType: boolean,
): StatusCause[] {
  const causes: StatusCause[] = []
  for (const name of mustBeEmpty) {
    if (part[name] === undefined || part[name] === '' || (name === 'type' && allowsType)) continue
    causes.push(forbiddenValue(`${place}.${name}`, 'must be empty to be structural'))
  }
  for (const name of mustBeUndefined) {
    if (part[name] !== undefined) causes.push(forbiddenValue(`${place}.${name}`, 'must be undefined to be structural'))
  }
  for (const name of mustBeFalse) {
    if (part[name] === true) causes.push(forbiddenValue(`${place}.${name}`, 'must be false to be structural'))
  }
  for (const [name, property] of Object.entries(part.properties ?? {})) {
    const inSkeleton = skeleton.properties?.[name]
    const field = `${path}.properties[${name}]`
    const nested = `${place}.properties[${name}]`
    if (inSkeleton === undefined) causes.push(requiredValue(field, `because it is defined in ${nested}`))
    else causes.push(...nestedProblems(property, nested, inSkeleton, field, false))
  }
  if (part.items !== undefined) {
    if (skeleton.items === undefined)
      causes.push(requiredValue(`${path}.items`, `because it is defined in ${place}.items`))
    else causes.push(...nestedProblems(part.items, `${place}.items`, skeleton.items, `${path}.items`, false))
  }
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, inner] of (part[name] ?? []).entries()) {
      causes.push(...nestedProblems(inner, `${place}.${name}[${index}]`, skeleton, path, allowsType))
    }
  }
  if (part.not !== undefined) causes.push(...nestedProblems(part.not, `${place}.not`, skeleton, path, false))
  return causes
}

// Metadata has a fixed schema; a CRD may only restrict these two fields further.
const restrictable = new Set(['name', 'generateName'])

function metadataProblems(schema: JsonSchema, path: string): StatusCause[] {
  const metadata = schema.properties?.metadata
  if (metadata === undefined) return []
  const field = `${path}.properties[metadata]`
  const { type, properties = {}, description: _, ...rest } = metadata
  const causes = type === undefined || type === 'object' ? [] : [invalidValue(`${field}.type`, type, 'must be object')]
  if (Object.keys(rest).length > 0 || !Object.keys(properties).every((name) => restrictable.has(name))) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified'
    causes.push(forbiddenValue(field, detail))
  }
  return causes
}
