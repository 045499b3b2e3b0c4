import { Decimal, isUnknown, Typed, typeToText, type Value } from '@hykube/tfplugin/value'

/** A value as text that is equal exactly for equal values: what hashes are made of. */
export function canonicalText(value: Value): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'boolean') return String(value)
  if (value instanceof Decimal) return value.toString()
  if (isUnknown(value)) return '?'
  if (value instanceof Typed) return `<${typeToText(value.type)}>${canonicalText(value.value)}`
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map(canonicalText).join()}]`
  const object = value as Readonly<Record<string, Value>>
  return `{${Object.keys(object)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(object[name]!)}`)
    .join()}}`
}
