import { parseCarefully } from './careful-parser.ts'
import { JsonError } from './json-error.ts'
import type { JsonValue } from './json-value.ts'
import { scanJson } from './scan.ts'

/** How a document is read. */
export interface ParseJsonOptions {
  /** How deep objects and lists may be nested. Default 1,000: far beyond any real object, far below what a stack holds. */
  readonly maximumDepth?: number
  /** How many fields one object may have, and how many objects one list. Default: any number. */
  readonly maximumMembers?: number
  /** How many values the whole document may have. Default: any number. */
  readonly maximumValues?: number
}

/** A document that was read. */
export interface ParsedJson {
  readonly value: JsonValue
  /** The path of each key that came twice in its object, as `spec.containers[0].name`; each path once, at most 100. */
  readonly duplicates: readonly string[]
}

/**
 * Reads a request body. Numbers that a double can't hold become `JsonNumber`; of several equal keys the last one wins,
 * and each is reported. Throws `JsonError` on bytes that are not UTF-8, not JSON, nested too deep, or with too many
 * fields in one object.
 *
 * The engine's own parser does the work; one pass over the bytes before it and a count of the keys after it tell whether
 * it may be trusted with this document. What it may not be trusted with is read again, character by character.
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

/** Reads a document from text, as `parseJson` does from bytes. */
export function parseJsonText(text: string, options: ParseJsonOptions = {}): ParsedJson {
  return parseJson(encoder.encode(text), options)
}

const anyNumber = Number.POSITIVE_INFINITY
const none: readonly string[] = []
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new JsonError('invalid UTF-8 in JSON input')
  }
}

/** The number of keys in a value, those of nested objects included. */
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
