// Walks an object and evaluates the CEL rules (x-kubernetes-validations) of its schema.

import { isJsonObject, type JsonValue, jsonEquals } from '../json/index.ts'
import type { StatusCause } from '../status/index.ts'
import { additionalSchema, type JsonSchema, type ValidationRule } from './json-schema.ts'
import { correlated } from './validate.ts'
import { mostCauses, pathText, type WalkPath } from './walk-context.ts'

/** Compiles CEL rules; passed in by the caller, because this package has no CEL evaluator. Called once for each schema. */
export type CompileRules = (rules: readonly ValidationRule[], schema: JsonSchema, path: string) => RuleValidator

/**
 * Evaluates the rules of one value at a path. `old` is undefined on create and when no old value can be matched.
 * `isUnchanged` returns true when the value, or the nearest enclosing value with a counterpart in the old object, equals
 * its counterpart.
 */
export type RuleValidator = (
  self: JsonValue,
  old: JsonValue | undefined,
  path: string,
  isUnchanged: () => boolean,
) => readonly StatusCause[]

/** Returns a function that evaluates all rules of an object; undefined when its schema has none. */
export function rulesValidator(
  schema: JsonSchema,
  compileRules: CompileRules,
): ((object: JsonValue, old: JsonValue | undefined) => StatusCause[]) | undefined {
  const walk = compile(schema, compileRules, 'openAPIV3Schema')
  if (walk === undefined) return undefined
  return (object, old) => {
    const context: RuleContext = { path: [], causes: [], nearest: undefined }
    walk(object, old, context)
    return context.causes
  }
}

interface RuleContext {
  readonly path: WalkPath
  readonly causes: StatusCause[]
  /** The innermost enclosing value that has a counterpart in the old object. */
  nearest: { readonly value: JsonValue; readonly old: JsonValue } | undefined
}

type Walk = (value: JsonValue, old: JsonValue | undefined, context: RuleContext) => void

// Returns undefined for a subtree without rules, so that it is not visited.
function compile(schema: JsonSchema, compileRules: CompileRules, path: string): Walk | undefined {
  const rules = schema['x-kubernetes-validations'] ?? []
  const own = rules.length === 0 ? undefined : compileRules(rules, schema, path)
  const inner = compileInner(schema, compileRules, path)
  if (own === undefined && inner === undefined) return undefined
  return (value, old, context) => {
    // Rules rely on the declared type, so they are not evaluated for null.
    if (value === null) return
    const outer = context.nearest
    if (old !== undefined) context.nearest = { value, old }
    const { nearest } = context
    const isUnchanged = () => nearest !== undefined && jsonEquals(nearest.value, nearest.old)
    if (own !== undefined && context.causes.length < mostCauses)
      context.causes.push(...own(value, old, pathText(context.path), isUnchanged))
    inner?.(value, old, context)
    context.nearest = outer
  }
}

function compileInner(schema: JsonSchema, compileRules: CompileRules, path: string): Walk | undefined {
  if (schema.items !== undefined) {
    const walk = compile(schema.items, compileRules, `${path}.items`)
    return walk === undefined ? undefined : (value, old, context) => walkList(schema, walk, value, old, context)
  }
  const additional = additionalSchema(schema)
  const other = additional === undefined ? undefined : compile(additional, compileRules, `${path}.additionalProperties`)
  const fields = new Map<string, Walk>()
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const walk = compile(property, compileRules, `${path}.properties[${name}]`)
    if (walk !== undefined) fields.set(name, walk)
  }
  if (fields.size === 0 && other === undefined) return undefined
  return (value, old, context) => walkObject(schema, fields, other, value, old, context)
}

// Items of a map list are matched with the old items by key; items of other lists have no old value.
function walkList(
  schema: JsonSchema,
  walk: Walk,
  value: JsonValue,
  old: JsonValue | undefined,
  context: RuleContext,
): void {
  if (!Array.isArray(value)) return
  value.forEach((item, index) => {
    context.path.push(index)
    walk(item, correlated(schema, item, old), context)
    context.path.pop()
  })
}

function walkObject(
  schema: JsonSchema,
  fields: ReadonlyMap<string, Walk>,
  other: Walk | undefined,
  value: JsonValue,
  old: JsonValue | undefined,
  context: RuleContext,
): void {
  if (!isJsonObject(value)) return
  for (const [name, item] of Object.entries(value)) {
    const isDeclared = schema.properties !== undefined && Object.hasOwn(schema.properties, name)
    const walk = isDeclared ? fields.get(name) : other
    if (walk === undefined) continue
    context.path.push(isDeclared ? name : { key: name })
    walk(item, isJsonObject(old) && Object.hasOwn(old, name) ? old[name] : undefined, context)
    context.path.pop()
  }
}
