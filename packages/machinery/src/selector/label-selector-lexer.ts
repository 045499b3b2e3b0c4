/** The kind of a token; an operator or punctuation mark is its own kind. */
export type TokenKind = 'identifier' | 'end' | ')' | ',' | '!' | '==' | '=' | '>' | 'in' | '<' | '!=' | 'notin' | '('

/** A token of a label selector. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
}

/** Splits a selector into tokens; the last one is `end`. */
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

// Longer ones first, so that `==` is not read as two `=`. Every character of one is a punctuation mark by itself.
const signs = ['==', '!=', ')', ',', '!', '=', '>', '<', '('] as const

function isSign(character: string | undefined): boolean {
  return character !== undefined && '=!(),><'.includes(character)
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\r' || character === '\n'
}
