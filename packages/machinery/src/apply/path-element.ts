import { BoundedMap, compareUtf8 } from '../base/index.ts'
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue, parseJsonText } from '../json/index.ts'

/**
 * One element of a field path, in the notation of FieldsV1: `f:name` is a field of an object, `k:{"name":"a"}` the list item
 * with these key fields, `v:"a"` an item of a set, `i:0` an item by index. The notation is canonical, so that elements can be
 * compared as text.
 */
export type PathElement = string

/** The path from an object to one of its fields. */
export type FieldPath = readonly PathElement[]

export function fieldElement(name: string): PathElement {
  return `f:${name}`
}

export function valueElement(value: JsonValue): PathElement {
  return `v:${scalarText(value)}`
}

/** Returns the element of the list item with these key fields, which must be sorted by name. */
export function keyElement(fields: readonly (readonly [name: string, value: JsonValue])[]): PathElement {
  return `k:{${fields.map(([name, value]) => `${scalarText(name)}:${scalarText(value)}`).join(',')}}`
}

/** Returns the name of a field element; undefined for elements of list items. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined
}

/**
 * Converts an element from a client to its canonical notation; undefined for an unknown kind of element, which is ignored.
 * Throws with Kubernetes' message when it is malformed.
 */
export function canonicalElement(element: string): PathElement | undefined {
  if (element.startsWith('f:') || plainKey.test(element) || plainValue.test(element) || plainNumber.test(element))
    return element
  if (element.length < 2) throw new Error('key must be 2 characters long:')
  if (element[1] !== ':') throw new Error(`missing colon: ${element}`)
  const content = element.slice(2)
  switch (element[0]) {
    case 'v':
      return valueElement(parse(content))
    case 'k':
      return canonicalKey(content)
    case 'i':
      if (!/^-?\d+$/.test(content)) throw new Error(`parsing ${JSON.stringify(content)}: invalid syntax`)
      return `i:${Number(content)}`
    default:
      return undefined
  }
}

/** Compares elements in the order of FieldsV1: fields, keys, values, indexes; each by content. */
export function compareElements(a: PathElement, b: PathElement): number {
  const left = a[0]
  const right = b[0]
  if (left !== right) return rank(left) - rank(right)
  if (left === 'f') return compareUtf8(a, b)
  if (left === 'i') return Number(a.slice(2)) - Number(b.slice(2))
  if (a === b) return 0
  if (left === 'v' && plainNumber.test(a) && plainNumber.test(b)) return Number(a.slice(2)) - Number(b.slice(2))
  if (left === 'v')
    return plainValue.test(a) && plainValue.test(b)
      ? compareUtf8(a, b)
      : compareValues(parse(a.slice(2)), parse(b.slice(2)))
  // Plain values, and plain keys of the same field can be compared as text: the closing quote sorts before all characters that they contain.
  if (plainKey.test(a) && plainKey.test(b) && b.startsWith(a.slice(0, a.indexOf(':', 2)))) return compareUtf8(a, b)
  return compareKeys(parse(a.slice(2)) as JsonObject, parse(b.slice(2)) as JsonObject)
}

/** Formats a path for messages: `.spec.containers[name="a"].image`. */
export function pathToText(path: FieldPath): string {
  return path.map(elementToText).join('')
}

/** Formats an element for messages: `.spec`, `[name="a"]`, `[="a"]`, `[0]`. */
export function elementToText(element: PathElement): string {
  const content = element.slice(2)
  switch (element[0]) {
    case 'f':
      return `.${content}`
    case 'k':
      return `[${Object.entries(parse(content) as JsonObject)
        .map(([name, value]) => `${name}=${valueToText(value)}`)
        .join(',')}]`
    case 'v':
      return `[=${valueToText(parse(content))}]`
    default:
      return `[${content}]`
  }
}

// Nearly all keys have one field with a simple text, which is canonical already.
const plainKey = /^k:\{"[A-Za-z]+":"[\w./:-]*"\}$/
const plainValue = /^v:"[\w./:-]*"$/
const plainNumber = /^v:(?:0|-?[1-9]\d{0,14})$/

/** Encodes a scalar with the HTML escapes of Go's JSON encoder, because clients compare keys as text. */
function scalarText(value: JsonValue): string {
  const text = JSON.stringify(value)
  return typeof value === 'string' && /[<>&\u2028\u2029]/.test(text)
    ? text.replace(/[<>&\u2028\u2029]/g, escaped)
    : text
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Caches parsed elements, because objects of a kind have the same few keys. Cleared when full. */
const parsed = new BoundedMap<string, JsonValue>(4_096)

function parse(text: string): JsonValue {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const { value } = parseJsonText(text)
  parsed.set(text, value)
  return value
}

function canonicalKey(content: string): PathElement {
  const fields = parse(content)
  if (!isJsonObject(fields)) throw new Error(`expected an object of key fields, got ${content}`)
  return keyElement(Object.entries(fields).sort(([a], [b]) => compareUtf8(a, b)))
}

function rank(kind: string | undefined): number {
  return kind === 'f' ? 0 : kind === 'k' ? 1 : kind === 'v' ? 2 : 3
}

/** Compares key fields one by one, by name and then by value; the shorter key comes first. */
function compareKeys(a: JsonObject, b: JsonObject): number {
  const left = Object.entries(a)
  const right = Object.entries(b)
  for (let index = 0; index < left.length && index < right.length; index++) {
    const [leftName, leftValue] = left[index]!
    const [rightName, rightValue] = right[index]!
    const order = compareUtf8(leftName, rightName) || compareValues(leftValue, rightValue)
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** Orders numbers before strings before booleans before the rest, and equal types by value. */
function compareValues(a: JsonValue, b: JsonValue): number {
  const order = valueRank(a) - valueRank(b)
  if (order !== 0) return order
  if (typeof a === 'string') return compareUtf8(a, b as string)
  if (typeof a === 'object' && !(a instanceof JsonNumber)) return compareUtf8(JSON.stringify(a), JSON.stringify(b))
  return Number(a) - Number(b)
}

function valueRank(value: JsonValue): number {
  if (typeof value === 'number' || value instanceof JsonNumber) return 0
  if (typeof value === 'string') return 1
  if (typeof value === 'boolean') return 2
  if (Array.isArray(value)) return 3
  return value === null ? 5 : 4
}

function valueToText(value: JsonValue): string {
  return JSON.stringify(value)
}
