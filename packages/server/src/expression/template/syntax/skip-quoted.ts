/**
 * The end of the string or comment that starts at an offset; the offset itself if none starts there; undefined if a string is
 * not terminated. A backslash escapes the next character also in raw strings.
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
