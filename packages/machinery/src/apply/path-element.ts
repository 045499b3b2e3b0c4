import { compareUtf8, isJsonObject, JsonNumber, type JsonObject, type JsonValue, parseJsonText } from '../json/index.ts'

/**
 * One step from a value into it, in the notation of FieldsV1: `f:name` is a field of an object, `k:{"name":"a"}` the item
 * of a list whose key fields have these values, `v:"a"` an item of a set, `i:0` an item by its place. Each step has one
 * notation only, so steps are compared as text.
 */
export type PathElement = string

/** The way from an object to one of its fields. */
export type FieldPath = readonly PathElement[]

/** The step to a field of an object. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`
}

/** The step to the item of a set. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${scalarText(value)}`
}

/** The step to the item with these key fields, which must be sorted by name. */
export function keyElement(fields: readonly (readonly [name: string, value: JsonValue])[]): PathElement {
  return `k:{${fields.map(([name, value]) => `${scalarText(name)}:${scalarText(value)}`).join(',')}}`
}

/** The name of the field that a step leads to; undefined for a step to an item. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined
}

/** Whether a step leads to an item by its key fields. */
export function isKeyElement(element: PathElement): boolean {
  return element.startsWith('k:')
}

/** The names of the key fields of such a step. */
export function keyNamesOf(element: PathElement): string[] {
  return Object.keys(parse(element.slice(2)) as JsonObject)
}

/**
 * A step in its one notation, from whatever a client wrote; undefined for a kind of step that is not known and is to be
 * ignored. Throws when it can't be read.
 */
export function canonicalElement(element: string): PathElement | undefined {
  if (element.startsWith('f:') || plainKey.test(element)) return element
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

/** Compares steps in the order in which FieldsV1 holds them: fields, keys, values, places; each by content. */
export function compareElements(a: PathElement, b: PathElement): number {
  const left = a[0]
  const right = b[0]
  if (left !== right) return rank(left) - rank(right)
  if (left === 'f') return compareUtf8(a, b)
  if (left === 'i') return Number(a.slice(2)) - Number(b.slice(2))
  if (left === 'v') return compareValues(parse(a.slice(2)), parse(b.slice(2)))
  if (a === b) return 0
  // Keys of one field with plain text are in order as text: what ends them comes before all that they may hold.
  if (plainKey.test(a) && plainKey.test(b) && b.startsWith(a.slice(0, a.indexOf(':', 2)))) return compareUtf8(a, b)
  return compareKeys(parse(a.slice(2)) as JsonObject, parse(b.slice(2)) as JsonObject)
}

/** A path as people read it: `.spec.containers[name="a"].image`. */
export function pathToText(path: FieldPath): string {
  return path.map(elementToText).join('')
}

/** A step as people read it: `.spec`, `[name="a"]`, `[="a"]`, `[0]`. */
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

// The keys of nearly all lists: one field with a simple text. It is in its one notation already.
const plainKey = /^k:\{"[A-Za-z]+":"[\w./:-]*"\}$/

/** The JSON of a scalar, with the escapes that Go adds for HTML, because keys are compared as text. */
function scalarText(value: JsonValue): string {
  const text = JSON.stringify(value)
  return typeof value === 'string' && /[<>&\u2028\u2029]/.test(text)
    ? text.replace(/[<>&\u2028\u2029]/g, escaped)
    : text
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The content of steps that were parsed lately: the same few keys come in every object of a kind. */
const parsed = new Map<string, JsonValue>()
const maximumParsed = 4_096

function parse(text: string): JsonValue {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const { value } = parseJsonText(text)
  if (parsed.size >= maximumParsed) parsed.clear()
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

/** Key fields are compared in turn, each by name and then by value; fewer come first. */
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

/** Numbers before texts before booleans before the rest; within them by value. */
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
