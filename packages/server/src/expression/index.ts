/** CEL expressions with type check and cost limits, validation rules of schemas, and `${…}` templates in resources. */
export { dynType } from './cel/check/types.ts'
export { Duration, Timestamp, TypeValue, Uint } from './cel/evaluate/values.ts'
export { compileExpression } from './expression.ts'
export { costLimitPerTemplates, Meter } from './meter.ts'
export { type CompiledRule, compileRulesOf } from './rule-compiler.ts'
export { maxOccurrences } from './schema-sizes.ts'
export { SchemaTypes } from './schema-types.ts'
export { type CompiledConfig, compileConfig, evaluateConfig } from './template/config/compile-config.ts'
export { type ConfigProblem, reportableProblem } from './template/config/config-piece.ts'
export { type ExpansionResult, expansionOf } from './template/config/expansion.ts'
export { referencesOf, type SpecReference, type SpecReferences } from './template/config/spec-references.ts'
export type { Evaluated } from './template/evaluate/compile-template.ts'
export type { Found, ValueScope } from './template/evaluate/value-scope.ts'
export {
  type EachReference,
  type InstanceSelector,
  type Reference,
  type ResourceReference,
  referenceToText,
} from './template/syntax/reference.ts'
export { templateSyntax } from './template/template-syntax.ts'
export type { TypeScope } from './template/types/type-scope.ts'
export { objectRules } from './validation-rules.ts'
