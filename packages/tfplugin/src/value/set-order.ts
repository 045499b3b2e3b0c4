import { compareUtf8 } from '@hykube/machinery/base'
import { Decimal } from './decimal.ts'
import { equalValues } from './equal-values.ts'
import { elementType } from './part-type.ts'
import { namesInOrder } from './text-order.ts'
import { dynamicType, type Type } from './type.ts'
import { isUnknown } from './unknown.ts'
import { isList, isObject, Typed, type Value } from './value.ts'
import { isWhollyKnown } from './wholly-known.ts'

/**
 * Returns a set's elements in canonical order without duplicates. Elements that contain unknowns are never duplicates.
 * Scalars are ordered by value, compound elements by the text that go-cty builds from their parts; unknown after known,
 * null last.
 */
export function canonicalSet(elements: readonly Value[], of: Type): Value[] {
  if (elements.length < 2) return [...elements]
  const keyed = elements.map((value) => ({ value, key: isPlain(of) ? '' : sortText(value, of) }))
  keyed.sort((a, b) => compareElements(a.value, b.value) || compareUtf8(a.key, b.key))
  const kept: Keyed[] = []
  for (const element of keyed) if (!isRepeated(kept, element)) kept.push(element)
  return kept.map(({ value }) => value)
}

interface Keyed {
  readonly value: Value
  readonly key: string
}

// Equal elements have equal sort texts, so only the preceding elements with the same text need a comparison.
function isRepeated(kept: readonly Keyed[], { value, key }: Keyed): boolean {
  if (!isWhollyKnown(value)) return false
  for (let i = kept.length - 1; i >= 0; i--) {
    const before = kept[i]!
    if (equalValues(before.value, value)) return true
    if (before.key !== key || compareElements(before.value, value) !== 0) return false
  }
  return false
}

function isPlain(type: Type): boolean {
  return type.kind === 'string' || type.kind === 'number' || type.kind === 'bool'
}

/** Orders nulls, unknowns and scalars; 0 for two compound values. */
function compareElements(a: Value, b: Value): number {
  const ranks = rank(a) - rank(b)
  if (ranks !== 0) return ranks
  if (typeof a === 'string' && typeof b === 'string') return compareUtf8(a, b)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof Decimal && b instanceof Decimal) return a.compare(b)
  return 0
}

function rank(value: Value): number {
  return value === null ? 2 : isUnknown(value) ? 1 : 0
}

/**
 * Builds the text by which compound values are ordered. It reproduces go-cty's, so that both sides agree on the order.
 */
function sortText(value: Value, type: Type): string {
  if (isUnknown(value)) return '?'
  if (value === null) return '~'
  if (value instanceof Typed) return sortText(value.value, value.type)
  if (typeof value === 'boolean') return value ? 'T' : 'F'
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Decimal) return tenDigits(value)
  if (isList(value)) {
    const [open, close] = type.kind === 'tuple' ? ['<', '>'] : ['[', ']']
    return `${open}${value.map((part, i) => `${sortText(part, elementType(type, i))};`).join('')}${close}`
  }
  return isObject(value) ? objectText(value, type) : ''
}

function objectText(value: Readonly<Record<string, Value>>, type: Type): string {
  if (type.kind === 'object') {
    let text = '<'
    for (const [name, of] of type.attributes) text += `${sortText(value[name] ?? null, of)};`
    return `${text}>`
  }
  const names = namesInOrder(value)
  const element = type.kind === 'map' ? type.element : dynamicType
  return `{${names.map((name) => `${quoted(name)}:${sortText(value[name]!, element)};`).join('')}}`
}

// Go's %.10g: ten significant digits, with an exponent below 1e-4 and from 1e10.
function tenDigits(value: Decimal): string {
  const number = value.toNumber()
  if (Number.isInteger(number) && Math.abs(number) < 1e9) return String(number)
  const [mantissa = '', power = '0'] = Math.abs(number).toExponential(9).split('e')
  const exponent = Number(power)
  const digits = mantissa.replace('.', '').replace(/0+$/, '')
  const sign = number < 0 ? '-' : ''
  if (exponent < -4 || exponent >= 10) {
    const rest = digits.length > 1 ? `.${digits.slice(1)}` : ''
    const size = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${digits[0]}${rest}e${exponent < 0 ? '-' : '+'}${size}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const fraction = digits.slice(exponent + 1)
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

const escapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
}

function quoted(text: string): string {
  if (!/["\\\x00-\x1f\x7f]/.test(text)) return `"${text}"`
  const inner = text.replace(/["\\\x00-\x1f\x7f]/g, (char) => {
    return escapes[char] ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
  return `"${inner}"`
}
