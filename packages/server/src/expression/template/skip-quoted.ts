/**
 * The end of the string or comment that begins at a place of an expression; the place itself when none begins there, and
 * undefined when a string does not end. A backslash hides the next character, also in raw strings, as for the reader of
 * expressions.
 */
export function skipQuoted(text: string, at: number): number | undefined {
  const first = text[at]
  if (first === '/' && text[at + 1] === '/') {
    const end = text.indexOf('\n', at)
    return end < 0 ? text.length : end
  }
  if (first !== '"' && first !== "'") return at
  const quote = text.startsWith(first.repeat(3), at) ? first.repeat(3) : first
  for (let i = at + quote.length; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text.startsWith(quote, i)) return i + quote.length
  }
  return undefined
}
