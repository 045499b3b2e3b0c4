// The schema combinators allOf, anyOf, oneOf and not, with the messages and the choice of sub-errors of kube-openapi.

import { isJsonObject, JsonNumber, type JsonValue } from '../json/index.ts'
import { invalidValue } from '../object/index.ts'
import type { StatusCause } from '../status/index.ts'
import { additionalSchema, type JsonSchema } from './json-schema.ts'
import { mostCauses, type WalkContext } from './walk-context.ts'

/** Validates a value and appends the problems to the causes of the context. */
export type Check = (value: JsonValue, context: WalkContext) => unknown

type Compile = (schema: JsonSchema) => Check

/** Compiles `anyOf`, `oneOf`, `allOf` and `not` of a schema. */
export function combinedChecks({ anyOf = [], oneOf = [], allOf = [], not }: JsonSchema, compile: Compile): Check[] {
  const checks: Check[] = []
  if (anyOf.length > 0) {
    const parts = compiledParts(anyOf, compile)
    checks.push((value, context) => {
      const { valid, nearest } = validateParts(parts, value, context, compile)
      if (valid === 0) addCause(context, 'must validate at least one schema (anyOf)', nearest)
    })
  }
  if (oneOf.length > 0) {
    const parts = compiledParts(oneOf, compile)
    checks.push((value, context) => {
      const { valid, nearest } = validateParts(parts, value, context, compile)
      const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
      if (valid !== 1) addCause(context, `must validate one and only one schema (oneOf). ${found}`, nearest)
    })
  }
  if (allOf.length > 0) {
    const parts = allOf.map(compile)
    checks.push((value, context) => {
      const valid = parts.filter((part) => validatesInto(part, value, context)).length
      const none = valid === 0 ? '. None validated' : ''
      if (valid < parts.length) addCause(context, `must validate all the schemas (allOf)${none}`)
    })
  }
  if (not !== undefined) {
    const part = compile(not)
    checks.push((value, context) => {
      if (isValid(part, value, context)) addCause(context, 'must not validate the schema (not)')
    })
  }
  return checks
}

// Kubernetes reports these without a field, and prints the missing field as `<nil>`.
function addCause(context: WalkContext, detail: string, also: readonly StatusCause[] = []): void {
  context.report((path) => invalidValue('<nil>', '', `${JSON.stringify(path)} ${detail}`))
  for (const cause of also) context.report(() => cause)
}

// Appends the problems of a part to the context; returns true when there are none.
function validatesInto(part: Check, value: JsonValue, context: WalkContext): boolean {
  const before = context.problems
  part(value, context)
  return context.problems === before
}

// Validates against a part on the side, leaving the causes of the context unchanged.
function isValid(part: Check, value: JsonValue, context: WalkContext): boolean {
  context.step(1)
  const aside = context.aside(0)
  part(value, aside)
  return aside.problems === 0
}

interface Part {
  readonly schema: JsonSchema
  readonly check: Check
}

function compiledParts(schemas: readonly JsonSchema[], compile: Compile): readonly Part[] {
  return schemas.map((schema) => ({ schema, check: compile(schema) }))
}

interface PartResults {
  readonly valid: number
  /** The problems by the schema that fits best; empty when a schema is valid. */
  readonly nearest: readonly StatusCause[]
}

function validateParts(parts: readonly Part[], value: JsonValue, context: WalkContext, compile: Compile): PartResults {
  const valid = parts.filter(({ check }) => isValid(check, value, context)).length
  if (valid > 0 || context.isFull) return { valid, nearest: [] }
  const weights = parts.map(({ schema }) => weightOf(schema, value, compile, context))
  const nearest = context.aside(mostCauses)
  parts[weights.indexOf(Math.max(...weights))]!.check(value, nearest)
  return { valid, nearest: nearest.causes }
}

/**
 * Returns how well a schema fits a value, with the weights of Kubernetes' validator: the schema that matches the value to
 * the greatest depth is assumed to be the intended one, and its problems are reported.
 */
function weightOf(schema: JsonSchema, value: JsonValue, compile: Compile, context: WalkContext): number {
  context.step(1)
  if (value === null) return 1
  const typed = schema.type || schema.format || schema['x-kubernetes-int-or-string'] ? 2 : 0
  return 4 + typed + insideWeight(schema, value, compile, context) + partsWeight(schema, value, compile, context)
}

// The weight of the value's own type and of its members.
function insideWeight(schema: JsonSchema, value: JsonValue, compile: Compile, context: WalkContext): number {
  if (typeof value === 'string') return 1
  if (typeof value === 'number' || value instanceof JsonNumber) return 2
  if (Array.isArray(value)) {
    const { items } = schema
    return 2 + (items === undefined ? 0 : sum(value.map((item) => weightOf(items, item, compile, context))))
  }
  if (!isJsonObject(value)) return 0
  const weights = Object.entries(value).map(([name, field]) => {
    const inner = schema.properties?.[name] ?? additionalSchema(schema)
    return inner === undefined ? 0 : weightOf(inner, field, compile, context)
  })
  return 1 + sum(weights)
}

// The weight of the combinators: all parts of allOf count; of anyOf and oneOf the first valid part, or else the best one.
function partsWeight(
  { anyOf = [], oneOf = [], allOf = [] }: JsonSchema,
  value: JsonValue,
  compile: Compile,
  context: WalkContext,
): number {
  const weight = (part: JsonSchema) => weightOf(part, value, compile, context)
  const chosen = (parts: readonly JsonSchema[], most: number) => {
    const valid = parts.filter((part) => isValid(compile(part), value, context))
    if (valid.length === 0) return Math.max(0, ...parts.map(weight))
    return valid.length > most ? 0 : weight(valid[0]!)
  }
  return sum(allOf.map(weight)) + chosen(anyOf, Number.POSITIVE_INFINITY) + chosen(oneOf, 1)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
