import { Uint } from '../evaluate/values.ts'
import { bytesFromLiteral, LiteralFailure, stringFromLiteral } from './literal-text.ts'
import { type Expr, type MapEntry, SyntaxFailure, type SyntaxProblem } from './syntax.ts'
import { type Token, tokensOf } from './tokens.ts'

// cel-go's limit of an expression's code points.
const maxLength = 100_000

// cel-go's limit of nesting; it also bounds the recursion of all later passes.
const maxDepth = 250

export interface ParseOptions {
  /** The accepted integer literals. Default '64 bits'. */
  readonly integers?: '64 bits' | 'any'
}

/** Parses an expression with cel-go's grammar and messages; macros are still calls. Throws SyntaxFailure. */
export function parseExpression(text: string, { integers = '64 bits' }: ParseOptions = {}): Expr {
  const size = [...text].length
  if (size > maxLength) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${maxLength}`
    throw new SyntaxFailure([{ at: 0, message }])
  }
  const { tokens, problems } = tokensOf(text)
  const parser = new Parser(tokens, problems, integers)
  return parser.parse()
}

class Parser {
  readonly #tokens: readonly Token[]
  readonly #problems: SyntaxProblem[]
  readonly #integers: ParseOptions['integers']
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[], problems: readonly SyntaxProblem[], integers: ParseOptions['integers']) {
    this.#tokens = tokens
    this.#integers = integers
    this.#problems = problems.map(({ at, message }) => ({ at, message: `Syntax error: ${message}` }))
  }

  parse(): Expr {
    const expr = this.#expr()
    if (this.#next.kind !== 'end' && !this.#skipExtraneous('<EOF>', ({ kind }) => kind === 'end'))
      this.#unexpected('<EOF>')
    if (this.#problems.length > 0) throw new SyntaxFailure(this.#problems)
    return expr
  }

  get #next(): Token {
    return this.#tokens[this.#at]!
  }

  #take(): Token {
    const token = this.#next
    if (token.kind !== 'end') this.#at++
    return token
  }

  #is(sign: string): boolean {
    return this.#next.kind === 'sign' && this.#next.text === sign
  }

  #skip(sign: string): Token | undefined {
    return this.#is(sign) ? this.#take() : undefined
  }

  #expect(sign: string, expected = `'${sign}'`): Token {
    const found = this.#skip(sign)
    if (found !== undefined) return found
    if (this.#skipExtraneous(expected, (token) => token.text === sign)) return this.#take()
    // A missing `)` at the end is reported by its own message, as ANTLR's error recovery does.
    if (sign !== ')' || this.#next.kind !== 'end' || expected !== `'${sign}'`) return this.#unexpected(expected)
    this.#tell(`missing '${sign}' at '${this.#next.text}'`)
    return this.#next
  }

  // ANTLR's single-token deletion: reports and skips one token if the next one is the expected one.
  #skipExtraneous(expected: string, fits: (token: Token) => boolean): boolean {
    const after = this.#tokens[this.#at + 1]
    if (this.#next.kind === 'end' || after === undefined || !fits(after)) return false
    this.#tell(`extraneous input '${this.#next.text}' expecting ${expected}`)
    this.#at++
    return true
  }

  #tell(message: string): void {
    this.#problems.push({ at: this.#next.start, message: `Syntax error: ${message}` })
  }

  #unexpected(expected: string): never {
    this.#tell(`mismatched input '${this.#next.text}' expecting ${expected}`)
    throw new SyntaxFailure(this.#problems)
  }

  #fail(at: number, message: string): never {
    this.#problems.push({ at, message })
    throw new SyntaxFailure(this.#problems)
  }

  #expr(): Expr {
    if (++this.#depth > maxDepth) this.#fail(this.#next.start, `expression recursion limit exceeded: ${maxDepth}`)
    const condition = this.#chain('||', () => this.#chain('&&', () => this.#relation()))
    const mark = this.#skip('?')
    const whole = mark === undefined ? condition : this.#conditional(condition, mark)
    this.#depth--
    return whole
  }

  #conditional(condition: Expr, { start: at }: Token): Expr {
    const whenTrue = this.#chain('||', () => this.#chain('&&', () => this.#relation()))
    this.#expect(':')
    const whenFalse = this.#expr()
    return call('_?_:_', [condition, whenTrue, whenFalse], at)
  }

  #chain(sign: '||' | '&&', operand: () => Expr): Expr {
    let left = operand()
    for (let mark = this.#skip(sign); mark !== undefined; mark = this.#skip(sign)) {
      left = call(`_${sign}_`, [left, operand()], mark.start)
    }
    return left
  }

  #relation(): Expr {
    return this.#binary(relations, () => this.#binary(sums, () => this.#binary(products, () => this.#unary())))
  }

  #binary(signs: ReadonlySet<string>, operand: () => Expr): Expr {
    let left = operand()
    while (this.#next.kind === 'sign' && signs.has(this.#next.text)) {
      const { text, start } = this.#take()
      left = call(text === 'in' ? '@in' : `_${text}_`, [left, operand()], start)
    }
    return left
  }

  // `!!a` and `--a` cancel out. A minus before a number belongs to the literal, because -2^63 has no positive counterpart.
  #unary(): Expr {
    const sign = this.#is('!') ? '!' : this.#is('-') ? '-' : undefined
    if (sign === undefined || (sign === '-' && this.#isNumber(this.#at + 1))) return this.#member()
    const first = this.#next
    let count = 0
    while (this.#skip(sign) !== undefined) count++
    const operand = this.#member()
    if (count % 2 === 0) return operand
    return { ...call(`${sign}_`, [operand], first.start), start: first.start }
  }

  #isNumber(at: number): boolean {
    const kind = this.#tokens[at]?.kind
    return kind === 'int' || kind === 'double'
  }

  #member(): Expr {
    let expr = this.#primary()
    for (;;) {
      if (this.#is('.')) expr = this.#selection(expr)
      else if (this.#is('[')) expr = this.#index(expr)
      else return expr
      if (expr.end - expr.start > maxLength) return expr
    }
  }

  #selection(operand: Expr): Expr {
    const { start: at } = this.#take()
    const optional = this.#skip('?') !== undefined
    const name = this.#next
    if (name.kind === 'quoted') this.#fail(name.start, `unsupported syntax: '\`'`)
    if (name.kind !== 'identifier') {
      if (optional) this.#unexpected('{IDENTIFIER, ESC_IDENTIFIER}')
      this.#fail(name.start, `Syntax error: no viable alternative at input '.${name.text}'`)
    }
    this.#take()
    if (!optional && this.#is('(')) {
      const { start: open } = this.#take()
      const args = this.#list(')', () => this.#expr())
      const { end } = this.#expect(')')
      return { kind: 'call', name: name.text, target: operand, args, start: operand.start, end, at: open }
    }
    const mode = optional ? 'optional' : 'value'
    return { kind: 'select', operand, field: name.text, mode, start: operand.start, end: name.end, at }
  }

  #index(operand: Expr): Expr {
    const { start: at } = this.#take()
    const optional = this.#skip('?') !== undefined
    if (!begins(this.#next)) this.#unexpected(optional ? beginnings : beginnings.replace("'!'", "'!', '?'"))
    const index = this.#expr()
    const { end } = this.#expect(']')
    return { ...call(optional ? '_[?_]' : '_[_]', [operand, index], at), end }
  }

  #primary(): Expr {
    if (!begins(this.#next) && !this.#skipExtraneous(beginnings, begins)) this.#unexpected(beginnings)
    const token = this.#next
    switch (token.kind) {
      case 'identifier':
        return this.#named(token.start, '')
      case 'sign':
        return this.#signed(token)
      case 'int':
      case 'uint':
      case 'double':
      case 'string':
      case 'bytes':
        return this.#literal()
      default:
        return this.#unexpected(beginnings)
    }
  }

  #signed(token: Token): Expr {
    switch (token.text) {
      case '(': {
        this.#take()
        const inner = this.#expr()
        this.#expect(')')
        return inner
      }
      case '[':
        return this.#listLiteral()
      case '{':
        return this.#mapLiteral()
      case '.':
        this.#take()
        if (this.#next.kind !== 'identifier') this.#unexpected('IDENTIFIER')
        return this.#named(token.start, '.')
      case '-':
      case 'true':
      case 'false':
      case 'null':
        return this.#literal()
      default:
        return this.#unexpected(beginnings)
    }
  }

  #named(start: number, dot: '' | '.'): Expr {
    const { text, end } = this.#take()
    if (this.#isMessage()) return this.#message(start, dot + text)
    if (reserved.has(text)) this.#fail(start, `reserved identifier: ${text}`)
    const open = this.#skip('(')
    if (open === undefined) return { kind: 'ident', name: dot + text, start, end, at: start }
    const args = this.#list(')', () => this.#expr())
    const close = this.#expect(')')
    return { kind: 'call', name: dot + text, args, start, end: close.end, at: open.start }
  }

  // Looks ahead for `name.name.name {`, which starts a message literal.
  #isMessage(): boolean {
    let at = this.#at
    while (this.#tokens[at]?.text === '.' && this.#tokens[at + 1]?.kind === 'identifier') at += 2
    return this.#tokens[at]?.text === '{' && this.#tokens[at]?.kind === 'sign'
  }

  #message(start: number, first: string): Expr {
    let name = first
    while (this.#skip('.') !== undefined) name += `.${this.#take().text}`
    const { start: at } = this.#expect('{')
    const values = this.#list('}', () => {
      this.#skip('?')
      if (this.#next.kind !== 'identifier') this.#unexpected("{'?', '}', ',', IDENTIFIER, ESC_IDENTIFIER}")
      this.#take()
      this.#expect(':')
      return this.#expr()
    })
    const { end } = this.#expect('}')
    return { kind: 'message', name, values, start, end, at }
  }

  #listLiteral(): Expr {
    const { start } = this.#take()
    const optional = new Set<number>()
    let count = 0
    const elements = this.#list(']', () => {
      if (this.#skip('?') !== undefined) optional.add(count)
      count++
      return this.#expr()
    })
    const { end } = this.#expect(']', "{']', ','}")
    return { kind: 'list', elements, optional, start, end, at: start }
  }

  #mapLiteral(): Expr {
    const { start } = this.#take()
    const entries = this.#list('}', (): MapEntry => {
      const optional = this.#skip('?') !== undefined
      const key = this.#expr()
      this.#expect(':')
      return { key, value: this.#expr(), optional }
    })
    const { end } = this.#expect('}', "{'}', ','}")
    return { kind: 'map', entries, start, end, at: start }
  }

  // A trailing comma is allowed in list, map and message literals, but not in arguments.
  #list<T>(close: string, read: () => T): T[] {
    const items: T[] = []
    while (!this.#is(close)) {
      items.push(read())
      if (this.#skip(',') === undefined) break
      if (close === ')' && this.#is(close)) this.#unexpected(beginnings)
    }
    if (items.length === 0 && close !== ')') this.#skip(',')
    return items
  }

  #literal(): Expr {
    const { start } = this.#next
    const minus = this.#skip('-') !== undefined ? '-' : ''
    const token = this.#take()
    const value = this.#value(token, minus)
    return { kind: 'literal', value, start, end: token.end, at: start }
  }

  #value({ kind, text, start }: Token, minus: '' | '-'): unknown {
    switch (kind) {
      case 'int':
        return this.#int(text, minus, start)
      case 'uint': {
        const value = BigInt(text.slice(0, -1))
        return BigInt.asUintN(64, value) === value ? new Uint(value) : this.#fail(start, 'invalid uint literal')
      }
      case 'double': {
        const value = Number(minus + text)
        return Number.isFinite(value) ? value : this.#fail(start, 'invalid double literal')
      }
      case 'string':
        return this.#unquoted(start, () => stringFromLiteral(text))
      case 'bytes':
        return this.#unquoted(start, () => bytesFromLiteral(text))
      default:
        return text === 'null' ? null : text === 'true'
    }
  }

  #int(text: string, minus: '' | '-', start: number): bigint {
    const value = minus === '-' ? -BigInt(text) : BigInt(text)
    const fits = this.#integers === 'any' || BigInt.asIntN(64, value) === value
    return fits ? value : this.#fail(start, 'invalid int literal')
  }

  #unquoted<T>(start: number, read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (error instanceof LiteralFailure) this.#fail(start, error.message)
      throw error
    }
  }
}

const relations = new Set(['<', '<=', '>=', '>', '==', '!=', 'in'])
const sums = new Set(['+', '-'])
const products = new Set(['*', '/', '%'])

const beginnings =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"

function begins({ kind, text }: Token): boolean {
  return kind === 'sign' ? openers.has(text) : kind !== 'end' && kind !== 'quoted'
}

const openers = new Set(['[', '{', '(', '.', '-', '!', 'true', 'false', 'null'])

const reserved = new Set([
  ...['as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop', 'package'],
  ...['namespace', 'return', 'var', 'void', 'while'],
])

function call(name: string, args: readonly Expr[], at: number): Expr & { kind: 'call' } {
  return { kind: 'call', name, args, start: args[0]!.start, end: args.at(-1)!.end, at }
}
