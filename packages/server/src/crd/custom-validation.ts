import { isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import { invalidValue, type KubernetesObject } from '@hykube/machinery/object'
import { goText, goTypeOf } from '@hykube/machinery/patch'
import { type JsonSchema, schemaValidator } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'
import { objectRules } from '../expression/index.ts'
import type { DefinitionVersion } from './definition.ts'
import { embeddedCheck } from './embedded-resources.ts'

/** Validates a custom resource. `old` is set on updates, `subresource` on writes to one. */
export type ValidateCustom = (
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  subresource?: string,
) => readonly StatusCause[]

/** Compiles all checks of a version: schema, replica paths, embedded objects and CEL rules. */
export function customValidation(schema: JsonSchema, { subresources }: DefinitionVersion): ValidateCustom {
  // The verbs validate metadata, whatever the schema says about it.
  const { validate } = schemaValidator(schema)
  const embedded = embeddedCheck(schema)
  const rules = objectRules(schema)
  const replicas = replicaPaths(subresources?.scale)
  return (object, old, subresource) => {
    const value = object as JsonObject
    const before = old as JsonValue | undefined
    const found = validate(value, before)
    const causes = subresource === 'status' ? found.map(relativeToStatus) : found
    for (const path of replicas) causes.push(...replicaProblems(path, value))
    if (embedded !== undefined) causes.push(...embedded(value, ''))
    if (rules === undefined) return causes
    return causes.some(({ reason }) => blocking.has(reason ?? ''))
      ? [...causes, notChecked]
      : [...causes, ...rules(value, before)]
  }
}

// CEL rules assume correct types and present required fields, so they do not run on objects with these errors.
const blocking = new Set<string>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

const notChecked = invalidValue(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
)

// On writes to the status subresource Kubernetes validates status alone: messages name the path within status, but
// field paths keep the prefix.
function relativeToStatus({ message, field, reason }: StatusCause): StatusCause {
  const from = message
    ?.replace(/(^|: )status(?:\.([^ ]+))?( in body )/, '$1$2$3')
    .replace(/"status\.?([^ ]*") must /, '"$1 must ')
  return { ...(reason && { reason }), ...(from && { message: from }), ...(field && { field }) }
}

function replicaPaths(scale: NonNullable<DefinitionVersion['subresources']>['scale']): readonly string[] {
  return scale === undefined ? [] : [scale.specReplicasPath, scale.statusReplicasPath]
}

function replicaProblems(path: string, object: JsonObject): StatusCause[] {
  let value: JsonValue | undefined = object
  let at = ''
  for (const field of path.split('.').slice(1)) {
    at += `.${field}`
    if (value === undefined || value === null) return []
    if (!isJsonObject(value)) return [noAccess(path, at, value, 'map[string]interface{}')]
    value = value[field]
  }
  if (value === undefined || value === null) return []
  if (typeof value !== 'number' || !Number.isInteger(value)) return [noAccess(path, at, value, 'int64')]
  if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')]
  return value > 2 ** 31 - 1 ? [invalidValue(path, value, 'should be less than or equal to 2147483647')] : []
}

function noAccess(path: string, at: string, value: JsonValue, expected: string): StatusCause {
  const problem = `${goText(value)} is of the type ${goTypeOf(value)}, expected ${expected}`
  return invalidValue(path, 0, `${at} accessor error: ${problem}`)
}
