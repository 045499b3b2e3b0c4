import type { JsonValue } from '../json/index.ts'

/** The schema of a CustomResourceDefinition (JSONSchemaProps), with the keywords that Kubernetes evaluates. */
export interface JsonSchema {
  readonly type?: string
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly default?: JsonValue
  readonly nullable?: boolean
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly required?: readonly string[]
  readonly enum?: readonly JsonValue[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: boolean
  readonly exclusiveMaximum?: boolean
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly allOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular'
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[]
}

/** A CEL validation rule of a schema. */
export interface ValidationRule {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: string
  readonly fieldPath?: string
  readonly optionalOldSelf?: boolean
}

/** Returns `additionalProperties` when it is a schema; undefined when it is absent or a boolean. */
export function additionalSchema(schema: JsonSchema): JsonSchema | undefined {
  const { additionalProperties } = schema
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}
