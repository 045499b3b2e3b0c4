import { namespaceOf, type Overload, overloadsOf } from '../cel/check/functions.ts'
import { EvaluationFailure } from '../cel/evaluate/values.ts'
import { formatText } from './format-text.ts'

/** CEL's string functions, and its strings extension in the version that Kubernetes uses. */
export function stringFunctions(): Overload[] {
  return [
    ...overloadsOf({
      'string.contains(string): bool': (text: string, part: string) => text.includes(part),
      'string.startsWith(string): bool': (text: string, part: string) => text.startsWith(part),
      'string.endsWith(string): bool': (text: string, part: string) => text.endsWith(part),
      'string.charAt(int): string': charAt,
      'string.indexOf(string): int': (text: string, part: string) => indexOf(text, part, 0n),
      'string.indexOf(string, int): int': indexOf,
      'string.lastIndexOf(string): int': (text: string, part: string) => {
        const size = BigInt([...text].length)
        if (part === '') return size
        return size === 0n ? -1n : lastIndexOf(text, part, size - 1n)
      },
      'string.lastIndexOf(string, int): int': lastIndexOf,
      'string.lowerAscii(): string': (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
      'string.upperAscii(): string': (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
      'string.replace(string, string): string': (text: string, old: string, by: string) => replace(text, old, by, -1n),
      'string.replace(string, string, int): string': replace,
      'string.split(string): list<string>': (text: string, by: string) => split(text, by, -1n),
      'string.split(string, int): list<string>': split,
      'string.substring(int): string': (text: string, start: bigint) => substring(text, start, undefined),
      'string.substring(int, int): string': substring,
      'string.trim(): string': (text: string) => text.replace(outerSpace, ''),
      'string.format(list<dyn>): string': formatText,
      'list<string>.join(): string': (list: readonly unknown[]) => join(list, ''),
      'list<string>.join(string): string': join,
    }),
    ...namespaceOf('strings', { 'quote(string): string': quote }),
  ]
}

// Unicode's White_Space property, which differs from JavaScript's \s.
const outerSpace = /^[\p{White_Space}]+|[\p{White_Space}]+$/gu

function charAt(text: string, at: bigint): string {
  const characters = [...text]
  if (at < 0n || at > characters.length) throw outOfRange(at)
  return characters[Number(at)] ?? ''
}

function indexOf(text: string, part: string, from: bigint): bigint {
  if (part === '') return from
  if (from < 0n) throw outOfRange(from)
  const begin = [...text].slice(0, Number(from)).join('').length
  if (from >= [...text].length) return -1n
  return pointsBefore(text, text.indexOf(part, begin))
}

function lastIndexOf(text: string, part: string, from: bigint): bigint {
  if (part === '') return from
  if (from < 0n) throw outOfRange(from)
  const characters = [...text]
  if (from >= characters.length) return -1n
  return pointsBefore(text, text.lastIndexOf(part, characters.slice(0, Number(from)).join('').length))
}

function pointsBefore(text: string, at: number): bigint {
  return at < 0 ? -1n : BigInt([...text.slice(0, at)].length)
}

function replace(text: string, old: string, by: string, limit: bigint): string {
  if (limit < 0n && old !== '') return text.replaceAll(old, () => by)
  let left = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit)
  if (old !== '') return text.replaceAll(old, (match) => (left-- > 0 ? by : match))
  const pieces = ['', ...text]
  return pieces.map((piece) => (left-- > 0 ? piece + by : piece)).join('')
}

function split(text: string, by: string, limit: bigint): string[] {
  if (limit === 0n) return []
  const parts = by === '' ? [...text] : text.split(by)
  const most = Number(limit)
  if (limit < 0n || parts.length <= most) return parts
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(by)]
}

function substring(text: string, start: bigint, end: bigint | undefined): string {
  const characters = [...text]
  if (end !== undefined && start > end) {
    throw new EvaluationFailure(`invalid substring range. start: ${start}, end: ${end}`)
  }
  if (start < 0n || start > characters.length) throw outOfRange(start)
  if (end !== undefined && end > characters.length) throw outOfRange(end)
  return characters.slice(Number(start), end === undefined ? undefined : Number(end)).join('')
}

function join(list: readonly unknown[], by: string): string {
  const wrong = list.find((item) => typeof item !== 'string')
  if (wrong !== undefined) throw new EvaluationFailure(`join: invalid input: ${String(wrong)}`)
  return list.join(by)
}

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}

function quote(text: string): string {
  return `"${[...text.toWellFormed()].map((character) => escapes[character] ?? character).join('')}"`
}

function outOfRange(at: bigint): EvaluationFailure {
  return new EvaluationFailure(`index out of range: ${at}`)
}
