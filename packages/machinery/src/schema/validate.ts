import { isJsonObject, JsonNumber, type JsonObject, type JsonValue, jsonEquals, numbersEqual } from '../json/index.ts'
import {
  duplicateValue,
  forbiddenValue,
  invalidType,
  invalidValue,
  quoted,
  requiredValue,
  tooLong,
  tooMany,
  unsupportedValue,
} from '../object/index.ts'
import type { StatusCause } from '../status/index.ts'
import { type Check, combinedChecks } from './combined-checks.ts'
import { hasFormat } from './format.ts'
import { GoRegexp } from './go-regexp/go-regexp.ts'
import { RegexpSyntaxError } from './go-regexp/syntax.ts'
import { additionalSchema, type JsonSchema } from './json-schema.ts'
import { pathText, TooManySteps, WalkContext } from './walk-context.ts'

/** Validates values against one schema, with kube-apiserver's messages. */
export interface SchemaValidator {
  /**
   * Returns the problems of a value. With `old`, problems of unchanged values are ignored (ratcheting): an object that was
   * stored under a less strict schema can still be updated in other fields.
   */
  readonly validate: (value: JsonValue, old?: JsonValue) => StatusCause[]
}

/** Compiles a schema into closures, cached by the identity of the schema object. */
export function schemaValidator(schema: JsonSchema): SchemaValidator {
  const check = compile(schema)
  return {
    validate: (value, old) => {
      const causes = causesOf((context) => check(value, context))
      if (causes.length === 0 || old === undefined) return causes
      return causesOf((context) => ratchet(schema, value, old, context))
    },
  }
}

function causesOf(walk: (context: WalkContext) => void): StatusCause[] {
  const context = new WalkContext()
  try {
    walk(context)
    return context.causes
  } catch (error) {
    if (error instanceof TooManySteps) return [forbiddenValue('', error.message)]
    throw error
  }
}

const compiled = new WeakMap<JsonSchema, Check>()

function compile(schema: JsonSchema): Check {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const plain = plainType(schema)
  const check = plain === undefined ? compileNode(schema) : plainCheck(plain, schema.nullable === true)
  compiled.set(schema, check)
  return check
}

/** Keywords that do not restrict the value beyond its type. */
const annotations = new Set(['type', 'description', 'title', 'default', 'nullable', 'example', 'externalDocs'])

/** Returns the type of a schema without further restrictions. Most schemas are of this form, and they share their checks. */
function plainType(schema: JsonSchema): string | undefined {
  if (schema.type === undefined) return undefined
  for (const keyword in schema) if (!annotations.has(keyword)) return undefined
  return schema.type
}

const plainChecks = new Map<string, Check>()

function plainCheck(type: string, nullable: boolean): Check {
  const key = nullable ? `${type}?` : type
  let check = plainChecks.get(key)
  if (check === undefined) {
    check = compileNode({ type, nullable })
    plainChecks.set(key, check)
  }
  return check
}

// Problems of the value itself are reported before those of the values inside it.
function compileNode(schema: JsonSchema): Check {
  const own = compileOwn(schema)
  const inner = compileInner(schema)
  if (schema.nullable !== true && inner === undefined) return own
  const { nullable = false } = schema
  return (value, context) => {
    if (value === null && nullable) return
    if (own(value, context)) inner?.(value, context)
  }
}

/** Compiles the checks of the value itself. They return false for a wrong type, which makes further checks meaningless. */
function compileOwn(schema: JsonSchema): (value: JsonValue, context: WalkContext) => boolean {
  const checks: Check[] = []
  addStringChecks(schema, checks)
  addNumberChecks(schema, checks)
  addListChecks(schema, checks)
  addObjectChecks(schema, checks)
  const enumCheck = enumCheckOf(schema)
  if (enumCheck !== undefined) checks.push(enumCheck)
  checks.push(...combinedChecks(schema, compile))
  const types = schema['x-kubernetes-int-or-string'] === true ? 'integer,string' : (schema.type ?? '')
  const isOfType = typeTests[types] ?? anything
  return (value, context) => {
    if (!isOfType(value)) {
      noteWrongType(value, types, schema, context)
      enumCheck?.(value, context)
      return false
    }
    for (let i = 0; i < checks.length; i++) checks[i]!(value, context)
    return true
  }
}

// For a fraction in place of an integer, kube-apiserver names the format instead of the type.
function noteWrongType(value: JsonValue, types: string, { format }: JsonSchema, context: WalkContext): void {
  const isFraction = types === 'integer' && typeName(value) === 'number'
  if (isFraction) noteUnchecked(format, context)
  const [actual, expected] = isFraction && format !== undefined ? ['float64', format] : [typeName(value), types]
  context.report((path) => invalidType(path, actual, `${inBody(path)} must be of type ${expected}: "${actual}"`))
}

// kube-apiserver reports a fraction in place of an integer a second time, without a field.
function noteUnchecked(format: string | undefined, context: WalkContext): void {
  const kind = format === undefined ? '(default format)' : `with format ${format}`
  context.report((path) => invalidValue('<nil>', '', `Checked value must be of type integer ${kind} in ${path}`))
}

const typeTests: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  object: isJsonObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: isInteger,
  number: (value) => typeof value === 'number' || value instanceof JsonNumber,
  'integer,string': (value) => typeof value === 'string' || isInteger(value),
}

function anything(): boolean {
  return true
}

function isInteger(value: JsonValue): boolean {
  return typeof value === 'number' ? Number.isInteger(value) : value instanceof JsonNumber && /^-?\d+$/.test(value.text)
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' || value instanceof JsonNumber) return isInteger(value) ? 'integer' : 'number'
  return typeof value
}

// kube-openapi's messages name the location of a value as `<path> in body`; for the root it is empty.
function inBody(path: string): string {
  return path === '' ? '' : `${path} in body`
}

function fail(context: WalkContext, value: unknown, detail: string): void {
  context.report((path) => invalidValue(path, value, `${inBody(path)} ${detail}`.trimStart()))
}

function addStringChecks(schema: JsonSchema, checks: Check[]): void {
  const { minLength, maxLength, pattern, format } = schema
  if (maxLength !== undefined) {
    checks.push((value, context) => {
      if (typeof value === 'string' && value.length > maxLength && runes(value) > maxLength) {
        context.report((path) => tooLong(path, maxLength))
      }
    })
  }
  if (minLength !== undefined) {
    checks.push((value, context) => {
      if (typeof value === 'string' && runes(value) < minLength)
        fail(context, value, `should be at least ${minLength} chars long`)
    })
  }
  if (pattern !== undefined && pattern !== '') {
    let expression: { test(text: string): boolean } | undefined
    checks.push((value, context) => {
      if (typeof value !== 'string') return
      expression ??= goPattern(pattern) ?? /^/
      if (!expression.test(value)) {
        fail(context, value, `should match '${pattern}'`)
      }
    })
  }
  if (format !== undefined && format !== '') {
    checks.push((value, context) => {
      if (typeof value !== 'string' || hasFormat(format, value)) return
      context.report((path) => invalidType(path, value, `${inBody(path)} must be of type ${format}: ${quoted(value)}`))
    })
  }
}

// Counts code points, as Go does: a surrogate pair is one.
function runes(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) count--
  }
  return count
}

/** Compiles a pattern in Go's syntax; undefined when it is invalid. Equal patterns are compiled once while they are in use. */
export function goPattern(pattern: string): GoRegexp | undefined {
  const known = patterns.get(pattern)?.deref()
  if (known !== undefined) return known
  try {
    const expression = new GoRegexp(pattern)
    patterns.set(pattern, new WeakRef(expression))
    released.register(expression, pattern)
    return expression
  } catch (error) {
    if (error instanceof RegexpSyntaxError) return undefined
    throw error
  }
}

const patterns = new Map<string, WeakRef<GoRegexp>>()
const released = new FinalizationRegistry<string>((pattern) => {
  if (patterns.get(pattern)?.deref() === undefined) patterns.delete(pattern)
})

function addNumberChecks(schema: JsonSchema, checks: Check[]): void {
  const { minimum, maximum, multipleOf } = schema
  if (schema.type === 'integer' && schema.format === 'int32') {
    checks.push((value, context) => {
      const number = Number(value instanceof JsonNumber ? value.text : value)
      if (number !== Math.trunc(number) || Math.abs(number) < 2 ** 31 || number === -(2 ** 31)) return
      noteUnchecked('int32', context)
    })
  }
  const add = (isBad: (value: number) => boolean, detail: string): void => {
    checks.push((value, context) => {
      if (typeof value !== 'number' && !(value instanceof JsonNumber)) return
      if (isBad(Number(value instanceof JsonNumber ? value.text : value))) fail(context, value, detail)
    })
  }
  if (minimum !== undefined) {
    if (schema.exclusiveMinimum === true) add((value) => value <= minimum, `should be greater than ${minimum}`)
    else add((value) => value < minimum, `should be greater than or equal to ${minimum}`)
  }
  if (maximum !== undefined) {
    if (schema.exclusiveMaximum === true) add((value) => value >= maximum, `should be less than ${maximum}`)
    else add((value) => value > maximum, `should be less than or equal to ${maximum}`)
  }
  if (multipleOf !== undefined) {
    add(
      (value) => !Number.isInteger(Number((value / multipleOf).toPrecision(15))),
      `should be a multiple of ${multipleOf}`,
    )
  }
}

function addListChecks(schema: JsonSchema, checks: Check[]): void {
  const { minItems, maxItems, uniqueItems } = schema
  const add = (check: (value: JsonValue[], context: WalkContext) => void): void => {
    checks.push((value, context) => {
      if (Array.isArray(value)) check(value, context)
    })
  }
  if (maxItems !== undefined) {
    add((value, context) => {
      if (value.length > maxItems) context.report((path) => tooMany(path, value.length, maxItems))
    })
  }
  if (minItems !== undefined) {
    add((value, context) => {
      if (value.length < minItems) fail(context, value.length, `should have at least ${minItems} items`)
    })
  }
  if (uniqueItems === true) {
    add((value, context) => {
      if (firstDuplicates(value).length > 0) fail(context, '', "shouldn't contain duplicates")
    })
  }
  const listType = schema['x-kubernetes-list-type']
  if (listType === 'set') add((value, context) => noteDuplicates(value, context))
  if (listType === 'map') {
    const keys = schema['x-kubernetes-list-map-keys'] ?? []
    const defaults = schema.items?.properties ?? {}
    add((value, context) =>
      noteDuplicates(
        value.map((item) => keysOf(item, keys, defaults)),
        context,
      ),
    )
  }
}

function noteDuplicates(values: readonly JsonValue[], context: WalkContext): void {
  for (const index of firstDuplicates(values)) {
    context.report((path) => duplicateValue(`${path}[${index}]`, values[index]))
  }
}

// Returns the index of the first repetition of each value; Kubernetes does not report further ones.
function firstDuplicates(values: readonly JsonValue[]): number[] {
  const scalars = new Map<JsonValue, number>()
  const composites = new Map<JsonValue, number>()
  const found: number[] = []
  values.forEach((value, index) => {
    const isScalar = typeof value !== 'object'
    const seen = isScalar ? scalars : composites
    const key = isScalar ? value : JSON.stringify(value, sortedKeys)
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    if (times === 2) found.push(index)
  })
  return found
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

// The key fields of an item, with defaults for the omitted ones.
function keysOf(
  item: JsonValue,
  keys: readonly string[],
  properties: Readonly<Record<string, JsonSchema>>,
): JsonObject {
  const object = isJsonObject(item) ? item : {}
  const found: JsonObject = {}
  for (const key of keys) {
    const value = object[key] ?? properties[key]?.default
    if (value !== undefined) found[key] = value
  }
  return found
}

function addObjectChecks(schema: JsonSchema, checks: Check[]): void {
  const { minProperties, maxProperties, required = [] } = schema
  const add = (check: (value: JsonObject, context: WalkContext) => void): void => {
    checks.push((value, context) => {
      if (isJsonObject(value)) check(value, context)
    })
  }
  if (maxProperties !== undefined) {
    add((value, context) => {
      const count = Object.keys(value).length
      if (count > maxProperties) context.report((path) => tooMany(path, count, maxProperties))
    })
  }
  if (minProperties !== undefined) {
    add((value, context) => {
      const count = Object.keys(value).length
      if (count < minProperties) fail(context, count, `should have at least ${minProperties} properties`)
    })
  }
  if (required.length > 0) {
    add((value, context) => {
      for (const name of required) {
        if (!Object.hasOwn(value, name)) context.report(() => requiredValue(pathText([...context.path, name])))
      }
    })
  }
}

// Also evaluated for values of a wrong type, because Kubernetes reports both problems.
function enumCheckOf({ enum: values = [] }: JsonSchema): Check | undefined {
  if (values.length === 0) return undefined
  const strings = new Set(values.filter((allowed) => typeof allowed === 'string'))
  const others = values.filter((allowed) => typeof allowed !== 'string')
  return (value, context) => {
    if (value === null || (typeof value === 'string' && strings.has(value))) return
    context.step(others.length)
    if (others.some((allowed) => sameValue(allowed, value))) return
    const texts = () => values.map((allowed) => (typeof allowed === 'string' ? allowed : JSON.stringify(allowed)))
    context.report((path) => unsupportedValue(path, value, texts()))
  }
}

function sameValue(a: JsonValue, b: JsonValue): boolean {
  const isNumber = (value: JsonValue) => typeof value === 'number' || value instanceof JsonNumber
  return isNumber(a) && isNumber(b) ? numbersEqual(a as number, b as number) : jsonEquals(a, b)
}

function compileInner(schema: JsonSchema): Check | undefined {
  if (schema.items !== undefined) return listInner(schema.items)
  const additional = additionalSchema(schema)
  if (schema.properties === undefined && additional === undefined) return undefined
  // Compiled with the first object, because most installed kinds never have one.
  let checks: Map<string, Check> | undefined
  let other: Check | undefined
  return (value, context) => {
    if (!isJsonObject(value)) return
    if (checks === undefined) {
      checks = new Map(Object.entries(schema.properties ?? {}).map(([name, property]) => [name, compile(property)]))
      other = additional === undefined ? undefined : compile(additional)
    }
    const { path } = context
    const names = Object.keys(value)
    context.step(names.length)
    for (const name of names) {
      const check = checks.get(name) ?? other
      if (check === undefined) continue
      path.push(name)
      check(value[name]!, context)
      path.pop()
    }
  }
}

function listInner(items: JsonSchema): Check {
  const check = compile(items)
  return (value, context) => {
    if (!Array.isArray(value)) return
    const { path } = context
    context.step(value.length)
    for (let index = 0; index < value.length; index++) {
      path.push(index)
      check(value[index]!, context)
      path.pop()
    }
  }
}

// Validates again and skips unchanged values. It runs only after a failed validation.
function ratchet(schema: JsonSchema, value: JsonValue, old: JsonValue | undefined, context: WalkContext): void {
  if (old !== undefined && jsonEquals(value, old)) return
  if (value === null && schema.nullable === true) return
  if (!ownCheck(schema)(value, context)) return
  const step = (part: string | number, inner: JsonSchema, now: JsonValue, before: JsonValue | undefined): void => {
    context.path.push(part)
    ratchet(inner, now, before, context)
    context.path.pop()
  }
  if (Array.isArray(value) && schema.items !== undefined) {
    const { items } = schema
    for (const [index, item] of value.entries()) step(index, items, item, correlated(schema, item, old))
  } else if (isJsonObject(value)) {
    const before = isJsonObject(old) ? old : {}
    for (const [name, item] of Object.entries(value)) {
      const inner = schema.properties?.[name] ?? additionalSchema(schema)
      if (inner !== undefined) step(name, inner, item, Object.hasOwn(before, name) ? before[name] : undefined)
    }
  }
}

const ownChecks = new WeakMap<JsonSchema, ReturnType<typeof compileOwn>>()

function ownCheck(schema: JsonSchema): ReturnType<typeof compileOwn> {
  let check = ownChecks.get(schema)
  if (check === undefined) {
    check = compileOwn(schema)
    ownChecks.set(schema, check)
  }
  return check
}

/** Returns the item of the old list with the same keys; only items of lists of type map can be matched. */
export function correlated(schema: JsonSchema, item: JsonValue, old: JsonValue | undefined): JsonValue | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return undefined
  return itemsByKeys(schema, old).get(keysText(schema, item))
}

// All items of a new list are looked up in the old one, which is indexed once.
const indexes = new WeakMap<
  JsonValue[],
  { readonly schema: JsonSchema; readonly items: ReadonlyMap<string, JsonValue> }
>()

function itemsByKeys(schema: JsonSchema, list: JsonValue[]): ReadonlyMap<string, JsonValue> {
  const known = indexes.get(list)
  if (known?.schema === schema) return known.items
  const items = new Map<string, JsonValue>()
  for (const item of list) {
    const text = keysText(schema, item)
    if (!items.has(text)) items.set(text, item)
  }
  indexes.set(list, { schema, items })
  return items
}

function keysText(schema: JsonSchema, item: JsonValue): string {
  const keys = keysOf(item, schema['x-kubernetes-list-map-keys'] ?? [], schema.items?.properties ?? {})
  return JSON.stringify(keys, sortedKeys)
}
