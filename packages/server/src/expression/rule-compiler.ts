import type { JsonValue } from '@hykube/machinery/json'
import type { JsonSchema, ValidationRule } from '@hykube/machinery/schema'
import { optionalType, type Type } from './cel/check/types.ts'
import { estimateCost } from './cel/cost/estimate.ts'
import type { Range } from './cel/cost/estimates.ts'
import { Optional } from './cel/evaluate/values.ts'
import { CompileFailure, compileExpression, type Expression } from './expression.ts'
import type { SchemaSizes } from './schema-sizes.ts'
import type { SchemaType, SchemaTypes } from './schema-types.ts'

/** A compiled rule of `x-kubernetes-validations`, or its compile error. */
export interface CompiledRule {
  readonly rule: ValidationRule
  readonly expression: Expression | undefined
  readonly failure: string | undefined
  readonly usesOldSelf: boolean
  /** The maximum cost of one evaluation for the sizes that the schema allows. */
  readonly cost: number
  readonly message: Expression | undefined
  readonly messageFailure: string | undefined
  readonly messageCost: number
  /** The type of `self`; undefined if the schema declares none. */
  readonly type: SchemaType | undefined
}

/** Compiles the rules of a part of a schema. Compile errors are returned with each rule, not thrown. */
export function compileRulesOf(
  rules: readonly ValidationRule[],
  part: JsonSchema,
  types: SchemaTypes,
): readonly CompiledRule[] {
  const type = types.typeOf(part)
  return rules.map((rule) => compileRule(rule, variablesOf(type, rule.optionalOldSelf === true), type))
}

function variablesOf(of: SchemaType | undefined, optional: boolean): Record<string, Type> {
  if (of === undefined) return {}
  return { self: of.type, oldSelf: optional ? optionalType(of.type) : of.type }
}

/** The values of `self` and `oldSelf` for one value, converted once for all its rules. */
export class RuleVariables {
  readonly #self: JsonValue
  readonly #old: JsonValue | undefined
  readonly #known = new Map<boolean, Record<string, unknown>>()

  constructor(self: JsonValue, old: JsonValue | undefined) {
    this.#self = self
    this.#old = old ?? undefined
  }

  get hasOld(): boolean {
    return this.#old !== undefined
  }

  /** The values for a rule. Without an old value, `oldSelf` is undeclared, or `optional.none()` with optionalOldSelf. */
  of({ rule, type }: CompiledRule): Record<string, unknown> {
    const optional = rule.optionalOldSelf === true
    let values = this.#known.get(optional)
    if (values === undefined) {
      values = this.#convert(type, optional)
      this.#known.set(optional, values)
    }
    return values
  }

  #convert(type: SchemaType | undefined, optional: boolean): Record<string, unknown> {
    const convert = type?.convert ?? (() => undefined)
    const self = convert(this.#self)
    const old = this.#old === undefined ? undefined : convert(this.#old)
    if (!optional) return old === undefined ? { self } : { self, oldSelf: old }
    return { self, oldSelf: old === undefined ? Optional.none() : Optional.of(old) }
  }
}

function compileRule(
  rule: ValidationRule,
  variables: Record<string, Type>,
  type: SchemaType | undefined,
): CompiledRule {
  const nothing = {
    rule,
    expression: undefined,
    failure: undefined,
    usesOldSelf: false,
    cost: 0,
    message: undefined,
    messageFailure: undefined,
    messageCost: 0,
    type,
  }
  if (rule.rule.trim() === '') return nothing
  const expression = attempt(() => compileExpression(rule.rule, variables), type)
  if (typeof expression === 'string') return { ...nothing, failure: `compilation failed: ${expression}` }
  if (expression.type.kind !== 'bool') return { ...nothing, failure: 'cel expression must evaluate to a bool' }
  const usesOldSelf = expression.reads('oldSelf')
  const complete = { ...nothing, expression, usesOldSelf, cost: costOf(expression, type) }
  if (!rule.messageExpression) return complete
  const message = attempt(() => compileExpression(rule.messageExpression!, variables), type)
  if (typeof message === 'string') {
    return { ...complete, messageFailure: `messageExpression compilation failed: ${message}` }
  }
  if (message.type.kind !== 'string') {
    return { ...complete, messageFailure: 'messageExpression must evaluate to a string' }
  }
  return { ...complete, message, messageCost: costOf(message, type) }
}

function costOf({ checked }: Expression, type: SchemaType | undefined): number {
  return estimateCost(checked, (path) => (type === undefined ? undefined : sizeAt(type.sizes, path.slice(1)))).max
}

function sizeAt(sizes: SchemaSizes, path: readonly string[]): Range | undefined {
  let at: SchemaSizes | undefined = sizes
  for (const name of path) {
    if (name === '@items' || name === '@values') at = at.items ?? at.values
    else if (name === '@keys') at = at.values === undefined ? undefined : keySizes
    else at = at.fields?.get(name)
    if (at === undefined) return undefined
  }
  return { min: 0, max: at.max }
}

// Kubernetes' estimator assumes keys of size 0.
const keySizes: SchemaSizes = { max: 0, minBytes: 2 }

// Kubernetes names the type of `self` selfType in errors, at every level of the schema.
function attempt<T>(work: () => T, type: SchemaType | undefined): T | string {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof CompileFailure)) throw error
    return type === undefined ? error.message : error.message.replaceAll(type.name, 'selfType')
  }
}
