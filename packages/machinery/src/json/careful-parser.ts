import { JsonError } from './json-error.ts'
import { numberFromText } from './json-number.ts'
import { type JsonObject, type JsonValue, setOwn } from './json-value.ts'

/** A document that was parsed character by character. */
export interface CarefulResult {
  readonly value: JsonValue
  /** The paths of duplicate keys, such as `spec.containers[0].name`; each path once, at most 100. */
  readonly duplicates: readonly string[]
}

/**
 * Parses a document character by character. This is the slow path of `parseJson`, for documents that JSON.parse accepts
 * but reads with a loss (duplicate keys, numbers beyond a double, unpaired surrogates) and for invalid ones, whose errors
 * must carry Go's wording. The last of several equal keys wins.
 */
export function parseCarefully(text: string, maximumDepth: number): CarefulResult {
  return new CarefulParser(text, maximumDepth).parse()
}

// Bounds the warnings in a response, however many duplicates a client sends.
const maximumDuplicates = 100

class CarefulParser {
  readonly #text: string
  readonly #maximumDepth: number
  // Keys and list indexes from the root to the value being parsed; its length is the current depth.
  readonly #path: (string | number)[] = []
  readonly #duplicates = new Set<string>()
  #at = 0

  constructor(text: string, maximumDepth: number) {
    this.#text = text
    this.#maximumDepth = maximumDepth
  }

  parse(): CarefulResult {
    this.#skipSpace()
    const value = this.#value()
    this.#skipSpace()
    if (this.#at < this.#text.length) this.#fail('after top-level value')
    return { value, duplicates: [...this.#duplicates] }
  }

  #value(): JsonValue {
    const character = this.#text[this.#at]
    switch (character) {
      case '{':
        return this.#object()
      case '[':
        return this.#list()
      case '"':
        return this.#string()
      case 't':
        return this.#literal('true', true)
      case 'f':
        return this.#literal('false', false)
      case 'n':
        return this.#literal('null', null)
      default:
        return this.#number()
    }
  }

  #object(): JsonObject {
    const object: JsonObject = {}
    let repeated: Set<string> | undefined
    this.#at++
    this.#skipSpace()
    if (this.#take('}')) return object
    const depth = this.#path.push('')
    if (depth > this.#maximumDepth) throw new JsonError(`exceeded max depth of ${this.#maximumDepth}`, this.#at)
    for (;;) {
      if (this.#text[this.#at] !== '"') this.#fail('looking for beginning of object key string')
      const key = this.#string()
      this.#path[depth - 1] = key
      if (Object.hasOwn(object, key) && !repeated?.has(key)) {
        repeated ??= new Set()
        repeated.add(key)
        this.#noteDuplicate()
      }
      this.#skipSpace()
      if (!this.#take(':')) this.#fail('after object key')
      this.#skipSpace()
      setOwn(object, key, this.#value())
      this.#skipSpace()
      if (this.#take('}')) break
      if (!this.#take(',')) this.#fail('after object key:value pair')
      this.#skipSpace()
    }
    this.#path.pop()
    return object
  }

  #list(): JsonValue[] {
    const list: JsonValue[] = []
    this.#at++
    this.#skipSpace()
    if (this.#take(']')) return list
    const depth = this.#path.push(0)
    if (depth > this.#maximumDepth) throw new JsonError(`exceeded max depth of ${this.#maximumDepth}`, this.#at)
    for (;;) {
      this.#path[depth - 1] = list.length
      list.push(this.#value())
      this.#skipSpace()
      if (this.#take(']')) break
      if (!this.#take(',')) this.#fail('after array element')
      this.#skipSpace()
    }
    this.#path.pop()
    return list
  }

  #string(): string {
    const start = this.#at
    let plain = true
    for (;;) {
      this.#at++
      const code = this.#text.charCodeAt(this.#at)
      if (code === 0x22) break
      if (Number.isNaN(code) || code < 0x20) this.#fail('in string literal')
      if (code === 0x5c) {
        plain = false
        this.#escape()
      }
    }
    this.#at++
    const literal = this.#text.slice(start, this.#at)
    // Go's decoder replaces unpaired surrogates with U+FFFD, and so does toWellFormed.
    return plain ? literal.slice(1, -1) : (JSON.parse(literal) as string).toWellFormed()
  }

  /** Validates an escape and moves from its backslash to its last character. */
  #escape(): void {
    this.#at++
    const character = this.#text[this.#at]
    if (character === undefined || !'"\\/bfnrtu'.includes(character)) this.#fail('in string escape code')
    if (character !== 'u') return
    for (let digit = 0; digit < 4; digit++) {
      this.#at++
      if (!/[0-9a-fA-F]/.test(this.#text[this.#at] ?? '')) this.#fail('in \\u hexadecimal character escape')
    }
  }

  #number(): JsonValue {
    const start = this.#at
    const negative = this.#take('-')
    const first = this.#text[this.#at]
    if (!isDigit(first)) this.#fail(negative ? 'in numeric literal' : 'looking for beginning of value')
    this.#at++
    // A number has no leading zeros: `01` is a 0 followed by an unexpected character.
    if (first !== '0') this.#skipDigits()
    if (this.#take('.')) this.#digits('after decimal point in numeric literal')
    if (this.#take('e') || this.#take('E')) {
      if (!this.#take('+')) this.#take('-')
      this.#digits('in exponent of numeric literal')
    }
    return numberFromText(this.#text.slice(start, this.#at))
  }

  #digits(context: string): void {
    if (!isDigit(this.#text[this.#at])) this.#fail(context)
    this.#skipDigits()
  }

  #skipDigits(): void {
    while (isDigit(this.#text[this.#at])) this.#at++
  }

  #literal<T extends JsonValue>(word: string, value: T): T {
    for (const character of word) {
      if (this.#text[this.#at] !== character) this.#fail(`in literal ${word} (expecting '${character}')`)
      this.#at++
    }
    return value
  }

  #noteDuplicate(): void {
    if (this.#duplicates.size >= maximumDuplicates) return
    let path = ''
    for (const step of this.#path) {
      if (typeof step === 'number') path += `[${step}]`
      else path += path === '' ? step : `.${step}`
    }
    this.#duplicates.add(path)
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at++
    }
  }

  #fail(context: string): never {
    const character = this.#text[this.#at]
    if (character === undefined) throw new JsonError('unexpected end of JSON input', this.#at)
    throw new JsonError(`invalid character ${quoted(character)} ${context}`, this.#at)
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}

/** Quotes a character as Go's encoding/json does in its errors. */
function quoted(character: string): string {
  if (character === "'") return "'\\''"
  if (character === '"') return "'\"'"
  const code = character.charCodeAt(0)
  const named = { 7: '\\a', 8: '\\b', 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r', 92: '\\\\' }[code]
  if (named !== undefined) return `'${named}'`
  return code < 0x20 || code === 0x7f ? `'\\x${code.toString(16).padStart(2, '0')}'` : `'${character}'`
}
