/** CEL: expressions over typed values, metered, and the rules that schemas carry in them. */
export { CompileFailure, compileExpression, EvaluationFailure, type Expression } from './expression.ts'
export { kubernetesEnvironment } from './kubernetes-environment.ts'
export { CostExceeded, costLimitPerCall, costLimitPerObject, Meter } from './meter.ts'
export { meterEnvironment } from './metered-evaluator.ts'
export { type CompiledRule, compileRulesOf } from './rule-compiler.ts'
export { type Level, type SchemaType, SchemaTypes } from './schema-types.ts'
export { type ObjectRules, objectRules } from './validation-rules.ts'
