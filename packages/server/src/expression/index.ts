/** CEL: expressions over typed values, metered; the rules that schemas carry in them; `${…}` in resources. */
export { type Address, AddressError, addressToText, parseAddress } from './address.ts'
export { dynType, type Type, typeToText } from './cel/types.ts'
export { Duration, EvaluationFailure, Optional, Timestamp, TypeValue, Uint } from './cel/values.ts'
export { CompileFailure, compileExpression, type Expression } from './expression.ts'
export { CostExceeded, costLimitPerCall, costLimitPerObject, Meter } from './meter.ts'
export { type CompiledRule, compileRulesOf } from './rule-compiler.ts'
export { mostTimes } from './schema-sizes.ts'
export { type Level, type SchemaType, SchemaTypes } from './schema-types.ts'
export { checkCompiled, checkTemplate, templateType } from './template/check-template.ts'
export {
  type CompiledConfig,
  compileConfig,
  type EvaluatedConfig,
  evaluateConfig,
  reservedNames,
} from './template/compile-config.ts'
export { type CompiledTemplate, compileTemplate, type Evaluated } from './template/compile-template.ts'
export { type ConfigProblem, shownProblem } from './template/config-piece.ts'
export {
  type Expansion,
  type ExpansionOf,
  type ExpansionResult,
  expansionOf,
  mostInstances,
} from './template/expansion.ts'
export type { TemplateProblem } from './template/formula-type.ts'
export type { PlacedReference } from './template/read-formula.ts'
export {
  type ConfigMapReference,
  type CountReference,
  type EachReference,
  type InstanceSelector,
  type Reference,
  type ResourceReference,
  referenceToText,
  type SecretReference,
} from './template/reference.ts'
export {
  referenceOfAddress,
  referencesOf,
  type SpecReference,
  type SpecReferences,
} from './template/spec-references.ts'
export {
  isWholeExpression,
  parseTemplate,
  type Template,
  TemplateError,
  type TemplatePart,
  templateToText,
} from './template/template.ts'
export { type TemplateSyntax, templateProblemText, templateSyntax } from './template/template-syntax.ts'
export type { TypeScope } from './template/type-scope.ts'
export { type Found, MissingReference, type ValueScope } from './template/value-scope.ts'
export { type ObjectRules, objectRules } from './validation-rules.ts'
