import { Decimal } from './decimal.ts'
import { typedOf } from './infer-type.ts'
import { normalText } from './normal-text.ts'
import { attributeStep, indexStep, keyStep, type PathStep } from './path.ts'
import { canonicalSet } from './set-order.ts'
import { type ObjectType, type Type, typeToText } from './type.ts'
import { isUnknown } from './unknown.ts'
import { emptyObject, isList, isObject, Typed, type Value } from './value.ts'
import { errorWithin, ValueError } from './value-error.ts'

export interface ConvertOptions {
  /** Handling of attributes that the target type lacks: dropped as Terraform core does (default), or rejected. */
  readonly otherAttributes?: 'drop' | 'refuse'
}

/**
 * Converts a value to a type by Terraform's rules: numbers and bools to and from strings, lists to sets or tuples,
 * objects to maps and back. Unknown and null values pass unchanged. Throws ValueError with the path when there is no
 * conversion.
 */
export function convertValue(value: Value, type: Type, options: ConvertOptions = {}): Value {
  return convert(value, type, options)
}

function convert(value: Value, type: Type, options: ConvertOptions): Value {
  if (type.kind === 'dynamic') return toDynamic(value)
  const bare = value instanceof Typed ? value.value : value
  if (bare === null || isUnknown(bare)) return bare
  switch (type.kind) {
    case 'string':
      return toText(bare)
    case 'number':
      return toNumber(bare)
    case 'bool':
      return toBool(bare)
    case 'list':
      return convertList(elementsOf(bare, type), () => type.element, options)
    case 'set':
      return canonicalSet(
        convertList(elementsOf(bare, type), () => type.element, options),
        type.element,
      )
    case 'tuple': {
      const elements = elementsOf(bare, type)
      if (elements.length !== type.elements.length) throw mismatch(bare, type)
      return convertList(elements, (index) => type.elements[index]!, options)
    }
    case 'map':
      return convertMap(bare, type.element, options)
    case 'object':
      return convertObject(bare, type, options)
  }
}

function toDynamic(value: Value): Value {
  return value === null || isUnknown(value) ? value : typedOf(value)
}

function toText(value: Value): Value {
  if (typeof value === 'string') return normalText(value)
  if (typeof value === 'boolean' || value instanceof Decimal) return String(value)
  throw new ValueError(`a string is required, not ${describe(value)}`, [])
}

function toNumber(value: Value): Value {
  if (value instanceof Decimal) return value
  const decimal = typeof value === 'string' ? Decimal.parse(value) : undefined
  if (decimal !== undefined) return decimal
  throw new ValueError(`a number is required, not ${describe(value)}`, [])
}

function toBool(value: Value): Value {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  throw new ValueError(`a bool is required, not ${describe(value)}`, [])
}

function elementsOf(value: Value, type: Type): readonly Value[] {
  if (isList(value)) return value
  throw mismatch(value, type)
}

function convertList(values: readonly Value[], element: (index: number) => Type, options: ConvertOptions): Value[] {
  return values.map((part, index) => within(indexStep(index), () => convert(part, element(index), options)))
}

function convertMap(value: Value, element: Type, options: ConvertOptions): Value {
  if (!isObject(value)) throw mismatch(value, { kind: 'map', element })
  const object = emptyObject()
  for (const key of Object.keys(value)) {
    object[normalText(key)] = within(keyStep(key), () => convert(value[key]!, element, options))
  }
  return object
}

function convertObject(value: Value, type: ObjectType, options: ConvertOptions): Value {
  if (!isObject(value)) throw mismatch(value, type)
  if (options.otherAttributes === 'refuse') rejectUnknownAttributes(value, type)
  const object = emptyObject()
  for (const [name, attribute] of type.attributes) {
    const given = Object.hasOwn(value, name) ? value[name]! : missing(name, type)
    object[name] = within(attributeStep(name), () => convert(given, attribute, options))
  }
  return object
}

function missing(name: string, type: ObjectType): Value {
  if (type.required?.has(name) !== true) return null
  throw new ValueError('the attribute is required', [attributeStep(name)])
}

function rejectUnknownAttributes(value: Readonly<Record<string, Value>>, type: ObjectType): void {
  const other = Object.keys(value).find((name) => !type.attributes.has(name))
  if (other !== undefined) throw new ValueError('there is no such attribute', [attributeStep(other)])
}

function mismatch(value: Value, type: Type): ValueError {
  return new ValueError(`${typeToText(type)} is required, not ${describe(value)}`, [])
}

function describe(value: Value): string {
  if (isList(value)) return 'a list'
  if (typeof value === 'string') return 'this text'
  if (typeof value === 'boolean') return 'a bool'
  return value instanceof Decimal ? 'a number' : 'an object'
}

function within<T>(step: PathStep, body: () => T): T {
  try {
    return body()
  } catch (error) {
    throw errorWithin(error, step)
  }
}
