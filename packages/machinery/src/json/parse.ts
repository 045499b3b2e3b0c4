import { parseCarefully } from './careful-parser.ts'
import { JsonError } from './json-error.ts'
import type { JsonValue } from './json-value.ts'
import { scanJson } from './scan.ts'

/** Limits on a document. */
export interface ParseJsonOptions {
  /** The deepest nesting of objects and lists. Default 1,000: above any real object, below what overflows the stack. */
  readonly maximumDepth?: number
  /** The most fields in one object, and the most objects in one list. Default: unlimited. */
  readonly maximumMembers?: number
  /** How many values the whole document may have. Default: any number. */
  readonly maximumValues?: number
}

/** A parsed document. */
export interface ParsedJson {
  readonly value: JsonValue
  /** The paths of duplicate keys, such as `spec.containers[0].name`; each path once, at most 100. */
  readonly duplicates: readonly string[]
}

/**
 * Parses a request body. Numbers that a double cannot represent become `JsonNumber`; of several equal keys the last one
 * wins, and their paths are reported. Throws `JsonError` for bytes that are not UTF-8, not JSON, nested too deep, or with
 * too many fields in one object.
 *
 * JSON.parse does the work for nearly all documents, because it is several times faster than a parser in JavaScript. Two
 * checks find the documents that it reads with a loss: `scanJson` before it, and a comparison of key counts after it (a
 * lower count than colons means duplicate keys). Those documents, and invalid ones, go through the slow parser.
 */
export function parseJson(bytes: Uint8Array, options: ParseJsonOptions = {}): ParsedJson {
  const { maximumDepth = 1_000, maximumMembers = anyNumber, maximumValues = anyNumber } = options
  const scan = scanJson(bytes)
  if (scan.depth > maximumDepth) throw new JsonError(`exceeded max depth of ${maximumDepth}`)
  if (scan.members > maximumMembers)
    throw new JsonError(`exceeded max of ${maximumMembers} fields of one object, or objects in one list`)
  if (scan.values > maximumValues) throw new JsonError(`exceeded max of ${maximumValues} values`)
  const text = decodeUtf8(bytes)
  if (scan.longNumbers || scan.surrogateEscapes) return parseCarefully(text, maximumDepth)
  let value: JsonValue
  try {
    value = JSON.parse(text)
  } catch {
    return parseCarefully(text, maximumDepth)
  }
  return countKeys(value) === scan.keys ? { value, duplicates: none } : parseCarefully(text, maximumDepth)
}

/** Parses text with the same rules and limits as `parseJson`. */
export function parseJsonText(text: string, options: ParseJsonOptions = {}): ParsedJson {
  return parseJson(encoder.encode(text), options)
}

const anyNumber = Number.POSITIVE_INFINITY
const none: readonly string[] = []
const encoder = new TextEncoder()
// A byte order mark is kept, so that the parser rejects it as Go does.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new JsonError('invalid UTF-8 in JSON input')
  }
}

/** Counts the keys of a value, including those of nested objects. */
function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countKeys(item)
    return count
  }
  for (const key in value) {
    count++
    const child = (value as Record<string, JsonValue>)[key]!
    if (typeof child === 'object') count += countKeys(child)
  }
  return count
}
