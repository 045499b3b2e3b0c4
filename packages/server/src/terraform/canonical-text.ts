import { Decimal, isUnknown, Typed, typeToText, type Value } from '@hykube/tfplugin/value'

/** Encodes a value as text that is equal exactly for equal values. Hashes and fingerprints are computed from it. */
export function canonicalText(value: Value): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'boolean') return String(value)
  if (value instanceof Decimal) return value.toString()
  if (isUnknown(value)) return '?'
  if (value instanceof Typed) return `<${typeToText(value.type)}>${canonicalText(value.value)}`
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map(canonicalText).join()}]`
  return objectText(value as Readonly<Record<string, Value>>)
}

function objectText(object: Readonly<Record<string, Value>>): string {
  let text = ''
  for (const name of sortedNames(object)) {
    const separator = text === '' ? '{' : ','
    text += `${separator}${JSON.stringify(name)}:${canonicalText(object[name]!)}`
  }
  return text === '' ? '{}' : `${text}}`
}

// Attribute names from a schema are mostly sorted, and checking the order is cheaper than sorting.
function sortedNames(object: object): readonly string[] {
  const names = Object.keys(object)
  for (let at = 1; at < names.length; at++) if (names[at]! < names[at - 1]!) return names.sort()
  return names
}
