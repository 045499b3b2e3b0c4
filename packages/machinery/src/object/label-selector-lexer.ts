/** What a piece of a selector is: an operator or sign is its own text. */
export type TokenKind = 'identifier' | 'end' | ')' | ',' | '!' | '==' | '=' | '>' | 'in' | '<' | '!=' | 'notin' | '('

/** A piece of a selector. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
}

/** The pieces of a selector, the last of them `end`. */
export function tokensOf(selector: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    while (isSpace(selector[at])) at++
    if (at >= selector.length) break
    const start = at
    const sign = signs.find((each) => selector.startsWith(each, at))
    if (sign !== undefined) {
      at += sign.length
      tokens.push({ kind: sign, text: sign })
    } else {
      while (at < selector.length && !isSign(selector[at]) && !isSpace(selector[at])) at++
      const text = selector.slice(start, at)
      tokens.push({ kind: text === 'in' || text === 'notin' ? text : 'identifier', text })
    }
  }
  tokens.push({ kind: 'end', text: '' })
  return tokens
}

// The longer ones first; every character of a sign is a sign itself.
const signs = ['==', '!=', ')', ',', '!', '=', '>', '<', '('] as const

function isSign(character: string | undefined): boolean {
  return character !== undefined && '=!(),><'.includes(character)
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\r' || character === '\n'
}
