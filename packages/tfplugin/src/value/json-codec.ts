import { Decimal } from './decimal.ts'
import { typedOf } from './infer-type.ts'
import { parseJson } from './json-numbers.ts'
import { normalText } from './normal-text.ts'
import { attributeStep, indexStep, keyStep, type PathStep } from './path.ts'
import { canonicalSet } from './set-order.ts'
import { namesInOrder } from './text-order.ts'
import type { Type } from './type.ts'
import { typeFromJson, typeToJson } from './type-json.ts'
import { isUnknown, type Unknown } from './unknown.ts'
import { emptyObject, isObject, Typed, type Value } from './value.ts'
import { errorWithin, ValueError } from './value-error.ts'

/** Encodes a value of a type as JSON text. Throws ValueError when the value does not match the type or is unknown. */
export function valueToJson(value: Value, type: Type): string {
  if (value === null) return 'null'
  if (isUnknown(value)) throw new ValueError('the value is not known, and JSON has no unknowns', [])
  switch (type.kind) {
    case 'string':
      return typeof value === 'string' ? JSON.stringify(normalText(value)) : required('a string')
    case 'number':
      return value instanceof Decimal ? value.toString() : required('a number')
    case 'bool':
      return typeof value === 'boolean' ? String(value) : required('a bool')
    case 'list':
    case 'set':
      return arrayToJson(value, () => type.element, `a ${type.kind}`)
    case 'tuple':
      if (!Array.isArray(value) || value.length !== type.elements.length)
        return required(`a tuple of length ${type.elements.length}`)
      return arrayToJson(value, (index) => type.elements[index]!, 'a tuple')
    case 'map':
      return mapToJson(value, type.element)
    case 'object':
      return objectToJson(value, type.attributes)
    case 'dynamic':
      return dynamicToJson(value)
  }
}

/**
 * Decodes a value of a type from JSON text as state files hold it: missing attributes are null, and scalars may be
 * written as strings. Numbers keep all digits. Throws ValueError when the text does not match.
 */
export function valueFromJson(text: string, type: Type): Value {
  return fromParsed(parseJson(text), type, 0)
}

// Bounds the recursion: only dynamic values can nest deeper than the type.
const maxDynamicDepth = 64

function required(what: string): never {
  throw new ValueError(`${what} is required`, [])
}

function arrayToJson(value: Value, element: (index: number) => Type, what: string): string {
  if (!Array.isArray(value)) return required(what)
  return `[${value.map((part, i) => within(indexStep(i), () => valueToJson(part as Value, element(i)))).join(',')}]`
}

function mapToJson(value: Value, element: Type): string {
  if (!isObject(value)) return required('a map')
  return membersToJson(namesInOrder(value), value, () => element, keyStep)
}

function objectToJson(value: Value, attributes: ReadonlyMap<string, Type>): string {
  if (!isObject(value)) return required('an object')
  for (const name of Object.keys(value))
    if (!attributes.has(name)) throw new ValueError('there is no such attribute', [attributeStep(name)])
  return membersToJson(attributes.keys(), value, (name) => attributes.get(name)!, attributeStep)
}

function membersToJson(
  names: Iterable<string>,
  value: Readonly<Record<string, Value>>,
  typeOf: (name: string) => Type,
  step: (name: string) => PathStep,
): string {
  let text = ''
  let at = ''
  try {
    for (const name of names) {
      at = name
      const member = value[name]
      if (member === undefined) throw new ValueError('the attribute is missing', [])
      text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${valueToJson(member, typeOf(name))}`
    }
  } catch (error) {
    throw errorWithin(error, step(at))
  }
  return text === '' ? '{}' : `${text}}`
}

function dynamicToJson(value: Exclude<Value, null | Unknown>): string {
  const typed = typedOf(value)
  return `{"value":${valueToJson(typed.value, typed.type)},"type":${typeToJson(typed.type)}}`
}

function fromParsed(parsed: unknown, type: Type, depth: number): Value {
  if (parsed === null) return null
  switch (type.kind) {
    case 'string':
      return stringFrom(parsed)
    case 'number':
      return numberFrom(parsed)
    case 'bool':
      return boolFrom(parsed)
    case 'list':
      return listFrom(parsed, () => type.element, depth, 'a list')
    case 'set':
      return canonicalSet(
        listFrom(parsed, () => type.element, depth, 'a set'),
        type.element,
      )
    case 'tuple':
      if (!Array.isArray(parsed) || parsed.length !== type.elements.length)
        return required(`a tuple of length ${type.elements.length}`)
      return listFrom(parsed, (index) => type.elements[index]!, depth, 'a tuple')
    case 'map':
      return mapFrom(parsed, type.element, depth)
    case 'object':
      return objectFrom(parsed, type.attributes, depth)
    case 'dynamic':
      return dynamicFrom(parsed, depth)
  }
}

function stringFrom(parsed: unknown): Value {
  if (typeof parsed === 'string') return normalText(parsed)
  if (typeof parsed === 'boolean') return String(parsed)
  return parsed instanceof Decimal ? parsed.toString() : required('a string')
}

function numberFrom(parsed: unknown): Value {
  const decimal = typeof parsed === 'string' ? Decimal.parse(parsed) : parsed
  return decimal instanceof Decimal ? decimal : required('a number')
}

function boolFrom(parsed: unknown): Value {
  if (typeof parsed === 'boolean') return parsed
  if (parsed === 'true' || parsed === '1') return true
  return parsed === 'false' || parsed === '0' ? false : required('a bool')
}

function listFrom(parsed: unknown, element: (index: number) => Type, depth: number, what: string): Value[] {
  if (!Array.isArray(parsed)) return required(what)
  return parsed.map((part, i) => within(indexStep(i), () => fromParsed(part, element(i), depth)))
}

function mapFrom(parsed: unknown, element: Type, depth: number): Value {
  if (!isParsedObject(parsed)) return required('a map')
  const object = emptyObject()
  for (const [key, part] of Object.entries(parsed)) {
    object[normalText(key)] = within(keyStep(key), () => fromParsed(part, element, depth))
  }
  return object
}

function objectFrom(parsed: unknown, attributes: ReadonlyMap<string, Type>, depth: number): Value {
  if (!isParsedObject(parsed)) return required('an object')
  const other = Object.keys(parsed).find((name) => !attributes.has(name))
  if (other !== undefined) throw new ValueError('there is no such attribute', [attributeStep(other)])
  const object = emptyObject()
  for (const [name, type] of attributes) {
    const part = Object.hasOwn(parsed, name) ? parsed[name] : null
    object[name] = within(attributeStep(name), () => fromParsed(part, type, depth))
  }
  return object
}

function dynamicFrom(parsed: unknown, depth: number): Value {
  if (depth > maxDynamicDepth) throw new ValueError('dynamic values are nested too deeply', [])
  if (!isParsedObject(parsed) || !('type' in parsed)) return required('an object of type and value')
  const type = typeFromJson(JSON.stringify(parsed.type))
  const value = fromParsed(parsed.value ?? null, type, depth + 1)
  return type.kind === 'dynamic' || value instanceof Typed ? value : new Typed(type, value)
}

function isParsedObject(parsed: unknown): parsed is Readonly<Record<string, unknown>> {
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) && !(parsed instanceof Decimal)
}

function within<T>(step: PathStep, body: () => T): T {
  try {
    return body()
  } catch (error) {
    throw errorWithin(error, step)
  }
}
