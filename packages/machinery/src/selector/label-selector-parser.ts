import { compareUtf8 } from '../base/index.ts'
import { labelKeyProblems } from '../object/index.ts'
import { type LabelOperator, type LabelRequirement, requirementProblem } from './label-requirement.ts'
import { type Token, type TokenKind, tokensOf } from './label-selector-lexer.ts'
import { SelectorError } from './selector-error.ts'

/** Parses a selector into its requirements, in source order. Throws `SelectorError` with Kubernetes' message. */
export function parseRequirements(selector: string): LabelRequirement[] {
  return new RequirementParser(tokensOf(selector)).parse()
}

const binaryOperators: Readonly<Partial<Record<TokenKind, LabelOperator>>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
}

class RequirementParser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = []
    for (;;) {
      const token = this.#peek()
      if (token.kind === 'end') return requirements
      if (token.kind !== 'identifier' && token.kind !== '!') {
        throw new SelectorError(`found '${token.text}', expected: !, identifier, or 'end of string'`)
      }
      requirements.push(this.#requirement())
      const next = this.#take()
      if (next.kind === 'end') return requirements
      if (next.kind !== ',') throw new SelectorError(`found '${next.text}', expected: ',' or 'end of string'`)
      const after = this.#peek()
      if (after.kind !== 'identifier' && after.kind !== '!') {
        throw new SelectorError(`found '${after.text}', expected: identifier after ','`)
      }
    }
  }

  #requirement(): LabelRequirement {
    const { key, negated } = this.#key()
    const next = this.#peek().kind
    if (negated && next !== 'end' && next !== ',') return this.#checked({ key, operator: '!', values: [] })
    if (next === 'end' || next === ',') {
      return this.#checked({ key, operator: negated ? '!' : 'exists', values: [] })
    }
    const operator = this.#operator()
    const values = operator === 'in' || operator === 'notin' ? this.#valueSet() : this.#exactValue()
    return this.#checked({ key, operator, values: [...values].sort(compareUtf8) })
  }

  #key(): { readonly key: string; readonly negated: boolean } {
    let token = this.#take()
    const negated = token.kind === '!'
    if (negated) token = this.#take()
    if (token.kind !== 'identifier') fail(`found '${token.text}', expected: identifier`)
    const problems = labelKeyProblems(token.text)
    if (problems.length > 0) fail(`<nil>: Invalid value: ${JSON.stringify(token.text)}: ${problems.join('; ')}`)
    return { key: token.text, negated }
  }

  #operator(): LabelOperator {
    const token = this.#tokens[this.#at++]!
    const operator = binaryOperators[token.kind]
    return operator ?? fail(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`)
  }

  #exactValue(): Set<string> {
    const next = this.#peek().kind
    if (next === 'end' || next === ',') return new Set([''])
    const token = this.#take()
    if (token.kind !== 'identifier') fail(`found '${token.text}', expected: identifier`)
    return new Set([token.text])
  }

  #valueSet(): Set<string> {
    const open = this.#take()
    if (open.kind !== '(') fail(`found '${open.text}' expected: '('`)
    const first = this.#peek()
    if (first.kind === ')') {
      this.#take()
      return new Set([''])
    }
    if (first.kind !== 'identifier' && first.kind !== ',') {
      fail(`found '${first.text}', expected: ',', ')' or identifier`)
    }
    const values = this.#values()
    if (this.#take().kind !== ')') fail(`found '${first.text}', expected: ')'`)
    return values
  }

  /** Parses values up to the closing parenthesis; nothing between two commas is the empty value. */
  #values(): Set<string> {
    const values = new Set<string>()
    for (;;) {
      const token = this.#take()
      const next = this.#peek()
      if (token.kind === 'identifier') {
        values.add(token.text)
        if (next.kind === ')') return values
        if (next.kind !== ',') fail(`found '${next.text}', expected: ',' or ')'`)
      } else if (token.kind === ',') {
        if (values.size === 0 || next.kind === ')' || next.kind === ',') values.add('')
        if (next.kind === ')') return values
      } else {
        fail(`found '${token.text}', expected: ',', or identifier`)
      }
    }
  }

  #checked(requirement: LabelRequirement): LabelRequirement {
    const problem = requirementProblem(requirement)
    return problem === undefined ? requirement : fail(problem)
  }

  /** Returns the next token where a key or value is expected, so that `in` and `notin` can be keys and values. */
  #peek(): Token {
    const token = this.#tokens[this.#at] ?? this.#tokens.at(-1)!
    return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token
  }

  #take(): Token {
    const token = this.#peek()
    this.#at++
    return token
  }
}

function fail(problem: string): never {
  throw new SelectorError(`unable to parse requirement: ${problem}`)
}
