import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import { tooMany } from '@hykube/machinery/object'
import { Decimal } from '@hykube/tfplugin/value'
import type { CheckWalk } from './check-walk.ts'
import type { CollectionStructure, Field, ObjectStructure, Structure, TupleStructure } from './structure.ts'

/**
 * Checks a value against its structure. A text that is one whole expression fits everywhere, because its value is not
 * known yet; null is what was not given.
 */
export function checkValue(structure: Structure, value: JsonValue, walk: CheckWalk): void {
  if (value === null) return
  if (typeof value === 'string') checkText(structure, value, walk)
  else if (structure.kind === 'dynamic') checkAnything(value, walk)
  else if (!isOfKind(structure.kind, value)) walk.wrongType(value, openApiTypes[structure.kind])
  else checkInside(structure, value, walk)
}

/** Checks the fields of an object; some names may be known besides. */
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

/** Checks values of no declared type: texts in it may hold expressions. */
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

/** What is wrong with text around an expression, where a value that is no text is wanted. */
export const notWhole = 'must be one whole expression, because it is no text'

const none: ReadonlySet<string> = new Set()

function checkField(field: Field, value: JsonValue, walk: CheckWalk): void {
  if (field.settable) checkValue(field.structure, value, walk)
  else walk.forbid('is decided by the provider')
}

function isAbsent(object: JsonObject, name: string): boolean {
  return !Object.hasOwn(object, name) || object[name] === null
}

function* settableNames(fields: ReadonlyMap<string, Field>): Generator<string> {
  for (const { name, settable } of fields.values()) if (settable) yield name
}

// Text is what a string is, and what an expression for anything else is written in.
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

// There is no block that is not there.
function checkItem(element: Structure, item: JsonValue, walk: CheckWalk): void {
  if (item === null && element.kind === 'object') walk.wrongType(item, 'object')
  else checkValue(element, item, walk)
}

function checkCount({ minItems, maxItems }: CollectionStructure, count: number, walk: CheckWalk): void {
  if (count < minItems) walk.invalid(count, `${walk.path} in body should have at least ${minItems} items`)
  if (maxItems > 0 && count > maxItems) walk.add(tooMany(walk.path, count, maxItems))
}

// Items of a set are owned by their value, which therefore comes once.
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
  if (walk.templates.holdsExpression(key)) walk.invalid(key, 'a key can hold no expression')
}
