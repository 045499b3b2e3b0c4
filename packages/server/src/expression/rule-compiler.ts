import type { JsonSchema, ValidationRule } from '@hykube/machinery/schema'
import { Optional } from '@marcbachmann/cel-js'
import { CompileFailure, compileExpression, type Expression } from './expression.ts'
import { kubernetesEnvironment } from './kubernetes-environment.ts'
import { meterEnvironment } from './metered-evaluator.ts'
import { type Level, registerSchemaType, type SchemaType } from './schema-types.ts'

/** A rule of `x-kubernetes-validations`, compiled, or what kept it from that. */
export interface CompiledRule {
  readonly rule: ValidationRule
  readonly expression: Expression | undefined
  readonly failure: string | undefined
  readonly usesOldSelf: boolean
  readonly message: Expression | undefined
  readonly messageFailure: string | undefined
}

/** Rules compiled for one schema, and how values of it come into them. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[]
  readonly variables: (self: unknown, old: unknown, optional: boolean) => Record<string, unknown>
  readonly type: SchemaType | undefined
}

/** Compiles the rules of one schema. Nothing is thrown: what is wrong is told with each rule. */
export function compileRulesOf(rules: readonly ValidationRule[], schema: JsonSchema, level: Level): CompiledRules {
  const plain = environmentOf(schema, level, false)
  let optional: ReturnType<typeof environmentOf> | undefined
  const compiled = rules.map((rule) => {
    if (rule.optionalOldSelf === true) optional ??= environmentOf(schema, level, true)
    return compileRule(rule, rule.optionalOldSelf === true ? optional! : plain)
  })
  return {
    rules: compiled,
    type: plain.type,
    variables: (self, old, isOptional) => {
      const oldSelf = isOptional ? (old === undefined ? Optional.none() : Optional.of(old)) : old
      return oldSelf === undefined ? { self } : { self, oldSelf }
    },
  }
}

function environmentOf(schema: JsonSchema, level: Level, optional: boolean) {
  const environment = kubernetesEnvironment()
  const type = registerSchemaType(environment, schema, level)
  if (type !== undefined) {
    environment.registerVariable('self', type.name)
    environment.registerVariable('oldSelf', optional ? `optional<${type.name}>` : type.name)
  }
  meterEnvironment(environment)
  return { environment, type }
}

function compileRule(rule: ValidationRule, { environment }: ReturnType<typeof environmentOf>): CompiledRule {
  const nothing = {
    rule,
    expression: undefined,
    failure: undefined,
    usesOldSelf: false,
    message: undefined,
    messageFailure: undefined,
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
