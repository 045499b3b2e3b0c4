import type { JsonValue } from '@hykube/machinery/json'
import type { JsonSchema, ValidationRule } from '@hykube/machinery/schema'
import { type Environment, Optional } from '@marcbachmann/cel-js'
import { CompileFailure, compileExpression, type Expression } from './expression.ts'
import type { SchemaType, SchemaTypes } from './schema-types.ts'

/** A rule of `x-kubernetes-validations`, compiled, or what kept it from that. */
export interface CompiledRule {
  readonly rule: ValidationRule
  readonly expression: Expression | undefined
  readonly failure: string | undefined
  readonly usesOldSelf: boolean
  readonly message: Expression | undefined
  readonly messageFailure: string | undefined
  /** How values come in; undefined when the schema has no type there. */
  readonly type: SchemaType | undefined
}

/** Compiles the rules of a part of a schema. Nothing is thrown: what is wrong is told with each rule. */
export function compileRulesOf(
  rules: readonly ValidationRule[],
  part: JsonSchema,
  types: SchemaTypes,
): readonly CompiledRule[] {
  const type = types.typeOf(part)
  const environments = new Map<boolean, Environment>()
  return rules.map((rule) => {
    const optional = rule.optionalOldSelf === true
    let environment = environments.get(optional)
    if (environment === undefined) {
      environment = types.environment(variablesOf(type, optional))
      environments.set(optional, environment)
    }
    return compileRule(rule, environment, type)
  })
}

function variablesOf(type: SchemaType | undefined, optional: boolean): Record<string, string> {
  if (type === undefined) return {}
  return { self: type.name, oldSelf: optional ? `optional<${type.name}>` : type.name }
}

/** The variables of rules for one value, converted once for all rules that see it the same way. */
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

  /** The values for a rule; without an old value `oldSelf` is nothing, or an optional of nothing. */
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

function compileRule(rule: ValidationRule, environment: Environment, type: SchemaType | undefined): CompiledRule {
  const nothing = {
    rule,
    expression: undefined,
    failure: undefined,
    usesOldSelf: false,
    message: undefined,
    messageFailure: undefined,
    type,
  }
  if (rule.rule.trim() === '') return nothing
  const expression = attempt(() => compileExpression(rule.rule, environment))
  if (typeof expression === 'string') return { ...nothing, failure: `compilation failed: ${expression}` }
  if (expression.type !== 'bool' && expression.type !== 'dyn') {
    return { ...nothing, failure: 'cel expression must evaluate to a bool' }
  }
  const usesOldSelf = expression.reads('oldSelf')
  const complete = { ...nothing, expression, usesOldSelf }
  if (!rule.messageExpression) return complete
  const message = attempt(() => compileExpression(rule.messageExpression!, environment))
  if (typeof message === 'string') {
    return { ...complete, messageFailure: `messageExpression compilation failed: ${message}` }
  }
  if (message.type !== 'string' && message.type !== 'dyn') {
    return { ...complete, messageFailure: 'messageExpression must evaluate to a string' }
  }
  return { ...complete, message }
}

function attempt<T>(work: () => T): T | string {
  try {
    return work()
  } catch (error) {
    if (error instanceof CompileFailure) return error.message
    throw error
  }
}
