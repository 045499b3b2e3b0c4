import type { SyntaxProblem } from './syntax.ts'

/** The kinds of tokens. Operators, punctuation and the words `in`, `true`, `false` and `null` are signs. */
export type TokenKind = 'identifier' | 'quoted' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'sign' | 'end'

/** A token and its position. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Splits a text into tokens, followed by an end token. Unrecognized characters are reported and skipped, as in cel-go. */
export function tokensOf(text: string): { tokens: readonly Token[]; problems: readonly SyntaxProblem[] } {
  const tokens: Token[] = []
  const problems: SyntaxProblem[] = []
  let at = 0
  while (at < text.length) {
    const { kind, length } = tokenAt(text, at)
    if (kind === 'unknown') {
      problems.push({ at, message: `token recognition error at: '${shown(text.slice(at, at + length))}'` })
    } else if (kind !== 'space') {
      const part = text.slice(at, at + length)
      tokens.push({ kind: words.has(part) ? 'sign' : kind, text: part, start: at, end: at + length })
    }
    at += length
  }
  tokens.push({ kind: 'end', text: '<EOF>', start: text.length, end: text.length })
  return { tokens, problems }
}

const words = new Set(['in', 'true', 'false', 'null'])

const escapes = '\\\\(?:[abfnrtv"\'\\\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})'
const stringText = [
  `[rR]"""[\\s\\S]*?"""`,
  `[rR]'''[\\s\\S]*?'''`,
  `"""(?:${escapes}|[^\\\\])*?"""`,
  `'''(?:${escapes}|[^\\\\])*?'''`,
  `[rR]"[^"\\n\\r]*"`,
  `[rR]'[^'\\n\\r]*'`,
  `"(?:${escapes}|[^\\\\"\\n\\r])*"`,
  `'(?:${escapes}|[^\\\\'\\n\\r])*'`,
].join('|')

// The first match wins, so the order makes it the longest: bytes before strings, doubles before integers.
const patterns: readonly (readonly [TokenKind | 'space', RegExp])[] = [
  ['space', /(?:[\t \r\n\f]+|\/\/[^\n]*)/y],
  ['bytes', new RegExp(`[bB](?:${stringText})`, 'y')],
  ['string', new RegExp(stringText, 'y')],
  ['double', /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y],
  ['uint', /(?:0x[0-9a-fA-F]+|\d+)[uU]/y],
  ['int', /0x[0-9a-fA-F]+|\d+/y],
  ['identifier', /[A-Za-z_]\w*/y],
  ['quoted', /`[A-Za-z0-9_./ -]+`/y],
  ['sign', /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y],
]

function tokenAt(text: string, at: number): { kind: TokenKind | 'space' | 'unknown'; length: number } {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) return { kind, length: match[0].length }
  }
  return { kind: 'unknown', length: unknownLength(text, at) }
}

// An unterminated string is one unknown token, as in ANTLR's lexer; otherwise it is a single character.
function unknownLength(text: string, at: number): number {
  const open = /[bB]?[rR]?(?:"(?:\\.|[^"\\\n\r])*|'(?:\\.|[^'\\\n\r])*)/y
  open.lastIndex = at
  const match = open.exec(text)
  if (match !== null) return match[0].length
  const first = String.fromCodePoint(text.codePointAt(at)!)
  // After `=`, `&` and `|` the lexer has consumed one more character, because a longer operator could follow.
  return first.length + (/[=&|]/.test(first) && at + 1 < text.length ? 1 : 0)
}

function shown(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
}
