import { type Accepts, RegexpSyntaxError } from './syntax.ts'

/** A parsed class or escape, and the position after it. */
export interface ParsedClass {
  readonly accepts: Accepts
  readonly end: number
}

/** Parses a character class from after its opening bracket; a `]` in first position is a literal. */
export function classAt(text: string, start: number): ParsedClass {
  let at = start
  const negated = text[at] === '^'
  if (negated) at++
  const parts: Accepts[] = []
  for (let isFirst = true; text[at] !== ']' || isFirst; isFirst = false) {
    if (at >= text.length)
      throw new RegexpSyntaxError(`error parsing regexp: missing closing ]: \`${text.slice(start - 1)}\``)
    const { accepts, end } = itemAt(text, at)
    parts.push(accepts)
    at = end
  }
  const isIn: Accepts = (code) => parts.some((accepts) => accepts(code))
  return { accepts: negated ? (code) => !isIn(code) : isIn, end: at + 1 }
}

/** Parses an escape outside of a class, from after its backslash. */
export function escapeClass(text: string, at: number): ParsedClass {
  const letter = text[at]
  if (letter === undefined)
    throw new RegexpSyntaxError('error parsing regexp: trailing backslash at end of expression: ``')
  const named = perlClasses[letter]
  if (named !== undefined) return { accepts: named, end: at + 1 }
  if (letter === 'p' || letter === 'P') return unicodeClass(text, at)
  const { code, end } = escapedCharacter(text, at)
  return { accepts: (each) => each === code, end }
}

/** Matches `\w`: ASCII letters, digits and underscore. Returns false for -1, the position outside of the text. */
export function isWordCharacter(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
}

// RE2's Perl classes are ASCII only, unlike JavaScript's \s.
const isDigit: Accepts = (code) => code >= 48 && code <= 57
const isSpace: Accepts = (code) => code === 32 || code === 9 || code === 10 || code === 12 || code === 13

const perlClasses: Readonly<Record<string, Accepts>> = {
  d: isDigit,
  D: (code) => !isDigit(code),
  s: isSpace,
  S: (code) => !isSpace(code),
  w: isWordCharacter,
  W: (code) => !isWordCharacter(code),
}

const asciiClasses: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  ascii: /[\x00-\x7f]/,
  blank: /[\t ]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t\n\v\f\r ]/,
  upper: /[A-Z]/,
  word: /[0-9A-Za-z_]/,
  xdigit: /[0-9A-Fa-f]/,
}

// Parses one item of a class: `[:alpha:]`, an escape such as `\d`, a character or a range.
function itemAt(text: string, at: number): ParsedClass {
  const ascii = /^\[:(\^?)(\w+):\]/.exec(text.slice(at, at + 16))
  const table = ascii === null ? undefined : asciiClasses[ascii[2]!]
  if (ascii !== null && table !== undefined) {
    const wanted = ascii[1] === ''
    return { accepts: (code) => table.test(String.fromCodePoint(code)) === wanted, end: at + ascii[0].length }
  }
  if (text[at] === '\\' && /[dDsSwWpP]/.test(text[at + 1] ?? '')) return escapeClass(text, at + 1)
  const low = characterAt(text, at)
  if (text[low.end] !== '-' || text[low.end + 1] === ']' || low.end + 1 >= text.length) {
    return { accepts: (code) => code === low.code, end: low.end }
  }
  const high = characterAt(text, low.end + 1)
  if (high.code < low.code)
    throw new RegexpSyntaxError(`error parsing regexp: invalid character class range: \`${text.slice(at, high.end)}\``)
  return { accepts: (code) => code >= low.code && code <= high.code, end: high.end }
}

interface ParsedCharacter {
  readonly code: number
  readonly end: number
}

function characterAt(text: string, at: number): ParsedCharacter {
  if (text[at] === '\\') return escapedCharacter(text, at + 1)
  const code = text.codePointAt(at)!
  return { code, end: at + (code > 0xffff ? 2 : 1) }
}

const controls: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 }

function escapedCharacter(text: string, at: number): ParsedCharacter {
  const letter = text[at] ?? ''
  const control = controls[letter]
  if (control !== undefined) return { code: control, end: at + 1 }
  const hex = /^x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/.exec(text.slice(at, at + 10))
  if (hex !== null) return { code: Number.parseInt(hex[1] ?? hex[2]!, 16), end: at + hex[0].length }
  const octal = /^[0-7]{1,3}/.exec(text.slice(at, at + 3))
  if (octal !== null && letter === '0') return { code: Number.parseInt(octal[0], 8), end: at + octal[0].length }
  if (letter === '' || /[0-9A-Za-z]/.test(letter)) {
    throw new RegexpSyntaxError(`error parsing regexp: invalid escape sequence: \`\\${letter}\``)
  }
  const code = text.codePointAt(at)!
  return { code, end: at + (code > 0xffff ? 2 : 1) }
}

// `\pL`, `\p{Greek}`, `\P{…}` and `\p{^…}`; a name is a general category or a script.
function unicodeClass(text: string, at: number): ParsedClass {
  const name = /^[pP](?:\{(\^?)(\w+)\}|(\w))/.exec(text.slice(at, at + 40))
  const property = name === null ? undefined : propertyOf(name[2] ?? name[3]!)
  if (name === null || property === undefined) {
    throw new RegexpSyntaxError(`error parsing regexp: invalid character class range: \`\\${text.slice(at, at + 3)}\``)
  }
  const wanted = (text[at] === 'p') === (name[1] !== '^')
  return { accepts: (code) => property.test(String.fromCodePoint(code)) === wanted, end: at + name[0].length }
}

function propertyOf(name: string): RegExp | undefined {
  for (const body of [name, `Script=${name}`]) {
    try {
      return new RegExp(`\\p{${body}}`, 'u')
    } catch {
      // Not a general category: try it as a script.
    }
  }
  return undefined
}
