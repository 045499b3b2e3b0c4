/** Structural schemas: defaulting, pruning, validation, OpenAPI documents. */
export { hasFormat, knownFormats } from './format.ts'
export { GoRegexp, type Match } from './go-regexp/go-regexp.ts'
export { RegexpSyntaxError } from './go-regexp/syntax.ts'
export { additionalSchema, type JsonSchema, type ValidationRule } from './json-schema.ts'
export {
  type OpenApiDefinitions,
  type OpenApiResource,
  type OpenApiSubresource,
  openApiReference,
  openApiV2Document,
  openApiV3Document,
} from './open-api-document.ts'
export { schemaToOpenApiV2 } from './open-api-v2.ts'
export { type PrunedValue, pruneObject } from './prune.ts'
export { type CompileRules, type RuleValidator, rulesValidator } from './rules.ts'
export { schemaToTypeShape } from './schema-shape.ts'
export { setSchemaDefaults } from './set-defaults.ts'
export { type ReferringSchema, shareDefinitions } from './shared-definitions.ts'
export { validateStructuralSchema } from './structural.ts'
export { type SchemaValidator, schemaValidator } from './validate.ts'
