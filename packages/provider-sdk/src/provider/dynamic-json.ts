import { isUnknown, Typed, typeOf, type Value, valueFromJson, valueToJson } from '@hykube/tfplugin/value'
import { jsonType } from './json-type.ts'

/** The value of a dynamic attribute that this JSON text is: lists become tuples, objects stay objects, no digit is lost. */
export function dynamicFromJson(text: string): Value {
  const type = jsonType(JSON.parse(text))
  const value = valueFromJson(text, type)
  return value === null || isUnknown(value) || value instanceof Typed ? value : new Typed(type, value)
}

/** The JSON text of a dynamic attribute's value, without its types. Throws when a part of it is unknown. */
export function dynamicToJson(value: Value): string {
  return value instanceof Typed ? valueToJson(value.value, value.type) : valueToJson(value, typeOf(value))
}
