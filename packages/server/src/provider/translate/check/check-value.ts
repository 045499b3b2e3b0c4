import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import { tooMany } from '@hykube/machinery/object'
import { Decimal } from '@hykube/tfplugin/value'
import type { CollectionStructure, Field, ObjectStructure, Structure, TupleStructure } from '../structure.ts'
import type { CheckWalk } from './check-walk.ts'

/**
 * Checks a value against its structure. A string that is a single expression is accepted for every type, because its value is
 * known only at plan time. Null means "not set", as in Terraform.
 */
export function checkValue(structure: Structure, value: JsonValue, walk: CheckWalk): void {
  if (value === null) return
  if (typeof value === 'string') checkText(structure, value, walk)
  else if (structure.kind === 'dynamic') checkAnything(value, walk)
  else if (!isOfKind(structure.kind, value)) walk.wrongType(value, openApiTypes[structure.kind])
  else checkInside(structure, value, walk)
}

/** Checks the fields of an object. Names in `besides` are accepted here and checked by the caller. */
export function checkFields(
  { fields }: ObjectStructure,
  object: JsonObject,
  walk: CheckWalk,
  besides: ReadonlySet<string> = none,
): void {
  for (const name of Object.keys(object)) {
    if (besides.has(name)) continue
    const field = fields.get(name)
    if (field === undefined) walk.inside(name, () => walk.unknown(name, [...settableNames(fields), ...besides]))
    else if (object[name] !== null) walk.insideField(field, () => checkField(field, object[name]!, walk))
  }
  for (const field of fields.values())
    if (field.required && isAbsent(object, field.name)) walk.inside(field.name, () => walk.require())
}

/** Checks a value without a declared type: only the expressions in its strings. */
export function checkAnything(value: JsonValue, walk: CheckWalk): void {
  if (typeof value === 'string') checkTemplate(value, walk)
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) walk.inside(index, () => checkAnything(item, walk))
  else if (isJsonObject(value))
    for (const key of Object.keys(value))
      walk.inside({ key }, () => {
        checkKey(key, walk)
        checkAnything(value[key]!, walk)
      })
  else if (value !== null) walk.literal()
}

/** The problem of an expression with text around it where the type is not string. */
export const notWhole = 'must be a single expression without text around it, because the type is not string'

const none: ReadonlySet<string> = new Set()

function checkField(field: Field, value: JsonValue, walk: CheckWalk): void {
  if (field.settable) checkValue(field.structure, value, walk)
  else walk.forbid('is set by the provider and read-only')
}

function isAbsent(object: JsonObject, name: string): boolean {
  return !Object.hasOwn(object, name) || object[name] === null
}

function* settableNames(fields: ReadonlyMap<string, Field>): Generator<string> {
  for (const { name, settable } of fields.values()) if (settable) yield name
}

// A JSON string is either a string value, or the expression for a value of any type.
function checkText(structure: Structure, text: string, walk: CheckWalk): void {
  const { templates } = walk
  if (structure.kind === 'string' || structure.kind === 'dynamic') checkTemplate(text, walk)
  else if (templates.isWhole(text)) walk.template(text)
  else if (structure.kind === 'number' && Decimal.parse(text) !== undefined) walk.literal()
  else if (templates.holdsExpression(text)) walk.invalid(text, notWhole)
  else walk.wrongType(text, openApiTypes[structure.kind])
}

function checkTemplate(text: string, walk: CheckWalk): void {
  walk.template(text)
  if (!walk.templates.holdsExpression(text)) walk.literal()
}

const openApiTypes = {
  string: 'string',
  number: 'number',
  bool: 'boolean',
  list: 'array',
  set: 'array',
  tuple: 'array',
  map: 'object',
  object: 'object',
} as const

function isOfKind(kind: keyof typeof openApiTypes, value: JsonValue): boolean {
  switch (kind) {
    case 'string':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' || (value instanceof JsonNumber && Decimal.parse(value.text) !== undefined)
    case 'bool':
      return typeof value === 'boolean'
    case 'map':
    case 'object':
      return isJsonObject(value)
    default:
      return Array.isArray(value)
  }
}

function checkInside(structure: Structure, value: JsonValue, walk: CheckWalk): void {
  if (!Array.isArray(value) && !isJsonObject(value)) walk.literal()
  else if (structure.kind === 'object') checkFields(structure, value as JsonObject, walk)
  else if (structure.kind === 'map') checkMap(structure, value as JsonObject, walk)
  else if (structure.kind === 'tuple') checkTuple(structure, value as JsonValue[], walk)
  else checkItems(structure as CollectionStructure, value as JsonValue[], walk)
}

function checkItems(structure: CollectionStructure, items: readonly JsonValue[], walk: CheckWalk): void {
  checkCount(structure, items.length, walk)
  for (const [index, item] of items.entries()) walk.inside(index, () => checkItem(structure.element, item, walk))
  if (structure.kind === 'set') checkTwice(structure.element, items, walk)
}

// Null items are refused: Terraform's blocks and nested attributes have no null elements.
function checkItem(element: Structure, item: JsonValue, walk: CheckWalk): void {
  if (item === null && element.kind === 'object') walk.wrongType(item, 'object')
  else checkValue(element, item, walk)
}

function checkCount({ minItems, maxItems }: CollectionStructure, count: number, walk: CheckWalk): void {
  if (count < minItems) walk.invalid(count, `${walk.path} in body should have at least ${minItems} items`)
  if (maxItems > 0 && count > maxItems) walk.add(tooMany(walk.path, count, maxItems))
}

// Server-side apply identifies the items of a set by their value, so each value may occur once.
function checkTwice(element: Structure, items: readonly JsonValue[], walk: CheckWalk): void {
  if (element.kind !== 'string' && element.kind !== 'number' && element.kind !== 'bool') return
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    if (item !== null && typeof item === 'object' && !(item instanceof JsonNumber)) continue
    const key = element.kind === 'number' ? numberKey(item) : JSON.stringify(item)
    if (seen.has(key)) walk.inside(index, () => walk.duplicate(item))
    seen.add(key)
  }
}

function numberKey(item: JsonValue): string {
  return Decimal.parse(String(item))?.toString() ?? String(item)
}

function checkTuple({ elements }: TupleStructure, items: readonly JsonValue[], walk: CheckWalk): void {
  if (items.length !== elements.length)
    walk.invalid(items.length, `${walk.path} in body should have ${elements.length} items`)
  for (const [index, element] of elements.entries())
    if (index < items.length) walk.inside(index, () => checkValue(element, items[index]!, walk))
}

function checkMap(structure: CollectionStructure, map: JsonObject, walk: CheckWalk): void {
  const keys = Object.keys(map)
  checkCount(structure, keys.length, walk)
  for (const key of keys)
    walk.inside({ key }, () => {
      checkKey(key, walk)
      checkItem(structure.element, map[key]!, walk)
    })
}

function checkKey(key: string, walk: CheckWalk): void {
  if (walk.templates.holdsExpression(key)) walk.invalid(key, 'a key must not contain an expression')
}
