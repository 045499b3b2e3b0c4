import { isUnknown, Typed, typeOf, type Value, valueFromJson, valueToJson } from '@hykube/tfplugin/value'
import { jsonType } from './json-type.ts'

/** Converts JSON text to the value of a dynamic attribute: lists become tuples, and numbers keep all digits. */
export function dynamicFromJson(text: string): Value {
  const type = jsonType(JSON.parse(text))
  const value = valueFromJson(text, type)
  return value === null || isUnknown(value) || value instanceof Typed ? value : new Typed(type, value)
}

/** Converts the value of a dynamic attribute to JSON text, without its types. Throws when a part of it is unknown. */
export function dynamicToJson(value: Value): string {
  return value instanceof Typed ? valueToJson(value.value, value.type) : valueToJson(value, typeOf(value))
}
